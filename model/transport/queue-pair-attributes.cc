// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair-attributes.h"

namespace ns3::aifabric
{

namespace
{

/// States as a set.
constexpr uint32_t
Bit(QpState state)
{
    return 1U << static_cast<int>(state);
}

constexpr uint32_t kReset = Bit(QpState::Reset);
constexpr uint32_t kInit = Bit(QpState::Init);
constexpr uint32_t kRtr = Bit(QpState::Rtr);
constexpr uint32_t kRts = Bit(QpState::Rts);
constexpr uint32_t kSqd = Bit(QpState::Sqd);
constexpr uint32_t kSqe = Bit(QpState::Sqe);
constexpr uint32_t kErr = Bit(QpState::Err);
constexpr uint32_t kAll = kReset | kInit | kRtr | kRts | kSqd | kSqe | kErr;

/// What a step takes beside the state.
struct Masks
{
    uint32_t required{0};
    uint32_t optional{0};
};

/// Required where a transport service has no such step.
constexpr uint32_t kNoStep = ~0U;

/// The steps to one state that take the same.
struct Step
{
    uint32_t from; ///< a set of states
    QpState to;
    Masks masks[3]; ///< by QpType
};

constexpr uint32_t kPath = kQpAlternatePath | kQpPathMigrationState;
constexpr uint32_t kFirst = kQpPkeyIndex | kQpPort | kQpAccessFlags;
constexpr uint32_t kFirstUd = kQpPkeyIndex | kQpPort | kQpQkey;
constexpr uint32_t kPeer = kQpAddressVector | kQpPathMtu | kQpDestinationNumber | kQpReceivePsn;
constexpr uint32_t kPeerToo = kQpAlternatePath | kQpAccessFlags | kQpPkeyIndex;
constexpr uint32_t kRetries = kQpTimeout | kQpRetryCount | kQpRnrRetry | kQpMaxReadAtomic;
constexpr uint32_t kRunning = kQpCurrentState | kQpAccessFlags | kPath;
constexpr uint32_t kDrained = kQpAddressVector | kQpAccessFlags | kQpPkeyIndex | kPath;
constexpr uint32_t kRunningUd = kQpCurrentState | kQpQkey;

// clang-format off
constexpr Step kSteps[] = {
    {kAll, QpState::Reset, {}},
    {kAll, QpState::Err, {}},
    {kReset, QpState::Init,
     {/* RC */ {kFirst},
      /* UC */ {kFirst},
      /* UD */ {kFirstUd}}},
    {kInit, QpState::Init,
     {/* RC */ {0, kFirst},
      /* UC */ {0, kFirst},
      /* UD */ {0, kFirstUd}}},
    {kInit, QpState::Rtr,
     {/* RC */ {kPeer | kQpMaxDestReadAtomic | kQpMinRnrTimer, kPeerToo},
      /* UC */ {kPeer, kPeerToo},
      /* UD */ {0, kQpPkeyIndex | kQpQkey}}},
    {kRtr, QpState::Rts,
     {/* RC */ {kQpSendPsn | kRetries, kRunning | kQpMinRnrTimer},
      /* UC */ {kQpSendPsn, kRunning},
      /* UD */ {kQpSendPsn, kRunningUd}}},
    {kRts | kSqd, QpState::Rts,
     {/* RC */ {0, kRunning | kQpMinRnrTimer},
      /* UC */ {0, kRunning},
      /* UD */ {0, kRunningUd}}},
    {kSqe, QpState::Rts,
     {/* RC */ {kNoStep},
      /* UC */ {0, kQpCurrentState | kQpAccessFlags},
      /* UD */ {0, kRunningUd}}},
    {kRts, QpState::Sqd,
     {/* RC */ {0, kQpEnableSqdNotify},
      /* UC */ {0, kQpEnableSqdNotify},
      /* UD */ {0, kQpEnableSqdNotify}}},
    {kSqd, QpState::Sqd,
     {/* RC */ {0, kDrained | kQpPort | kRetries | kQpMaxDestReadAtomic | kQpMinRnrTimer},
      /* UC */ {0, kDrained},
      /* UD */ {0, kQpPkeyIndex | kQpQkey}}},
};
// clang-format on

} // namespace

bool
IsValid(const AddressVector& path)
{
    return path.destination != kNoNode && path.priority >= -1 && path.priority <= 7 &&
           path.baseRtt >= 0;
}

Status
CheckTransition(QpType type, QpState from, QpState to, uint32_t mask)
{
    if (!(mask & kQpState))
    {
        to = from;
    }
    for (const Step& step : kSteps)
    {
        if (step.to != to || !(step.from & Bit(from)))
        {
            continue;
        }
        const Masks& masks = step.masks[static_cast<int>(type)];
        if (masks.required == kNoStep)
        {
            break;
        }
        if (masks.required & ~mask)
        {
            return Status::MissingAttribute;
        }
        return mask & ~(masks.required | masks.optional | kQpState) ? Status::SurplusAttribute
                                                                    : Status::Ok;
    }
    return Status::IllegalTransition;
}

Status
CheckValues(const QueuePairAttributes& a, uint32_t mask)
{
    const auto holds = [mask](QpAttributeMask member, bool inRange) {
        return !(mask & member) || inRange;
    };
    const bool valid =
        holds(kQpState, a.state <= QpState::Err) &&
        holds(kQpCurrentState, a.currentState >= QpState::Rtr && a.currentState <= QpState::Sqe) &&
        holds(kQpAccessFlags, !(a.accessFlags & ~kAllAccess)) &&
        holds(kQpAddressVector, IsValid(a.addressVector)) &&
        holds(kQpPathMtu, a.pathMtu >= PathMtu::Bytes256 && a.pathMtu <= PathMtu::Bytes4096) &&
        holds(kQpTimeout, a.timeout <= 31) && holds(kQpRetryCount, a.retryCount <= 7) &&
        holds(kQpRnrRetry, a.rnrRetry <= 7) && holds(kQpMinRnrTimer, a.minRnrTimer <= 31) &&
        holds(kQpDestinationNumber, a.destinationNumber <= 0xFFFFFF);
    return valid ? Status::Ok : Status::InvalidAttribute;
}

} // namespace ns3::aifabric
