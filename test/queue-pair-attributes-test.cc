// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-attributes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::aifabric;

namespace
{

constexpr QpType kTypes[] = {QpType::Rc, QpType::Uc, QpType::Ud};
constexpr uint32_t kMembers = 21;

/// The steps, row from, column to: x for all, u for UC and UD only (IBA vol. 1, figure 124).
const char* const kMatrix = R"(
        RESET INIT RTR RTS SQD SQE ERR
  RESET   x    x    .   .   .   .   x
  INIT    x    x    x   .   .   .   x
  RTR     x    .    .   x   .   .   x
  RTS     x    .    .   x   x   .   x
  SQD     x    .    .   x   x   .   x
  SQE     x    .    .   u   .   .   x
  ERR     x    .    .   .   .   .   x
)";

/// What they take: state, state, service, required / optional; those not here take nothing.
const char* const kAttributes = R"(
  RESET INIT RC PKEY_INDEX PORT ACCESS_FLAGS / ;
  RESET INIT UC PKEY_INDEX PORT ACCESS_FLAGS / ;
  RESET INIT UD PKEY_INDEX PORT QKEY / ;
  INIT INIT RC / PKEY_INDEX PORT ACCESS_FLAGS ;
  INIT INIT UC / PKEY_INDEX PORT ACCESS_FLAGS ;
  INIT INIT UD / PKEY_INDEX PORT QKEY ;
  INIT RTR RC AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER / ALT_PATH
      ACCESS_FLAGS PKEY_INDEX ;
  INIT RTR UC AV PATH_MTU DEST_QPN RQ_PSN / ALT_PATH ACCESS_FLAGS PKEY_INDEX ;
  INIT RTR UD / PKEY_INDEX QKEY ;
  RTR RTS RC TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC / CUR_STATE ALT_PATH
      ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE ;
  RTR RTS UC SQ_PSN / CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE ;
  RTR RTS UD SQ_PSN / CUR_STATE QKEY ;
  RTS RTS RC / CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER ;
  RTS RTS UC / CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE ;
  RTS RTS UD / CUR_STATE QKEY ;
  RTS SQD RC / EN_SQD_ASYNC_NOTIFY ;
  RTS SQD UC / EN_SQD_ASYNC_NOTIFY ;
  RTS SQD UD / EN_SQD_ASYNC_NOTIFY ;
  SQD RTS RC / CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER ;
  SQD RTS UC / CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE ;
  SQD RTS UD / CUR_STATE QKEY ;
  SQD SQD RC / PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH
      ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE ;
  SQD SQD UC / AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE ;
  SQD SQD UD / PKEY_INDEX QKEY ;
  SQE RTS UC / CUR_STATE ACCESS_FLAGS ;
  SQE RTS UD / CUR_STATE QKEY ;
)";

/// The numbers of ibv_qp_attr_mask.
const std::map<std::string, uint32_t> kBits{{"STATE", 0},
                                            {"CUR_STATE", 1},
                                            {"EN_SQD_ASYNC_NOTIFY", 2},
                                            {"ACCESS_FLAGS", 3},
                                            {"PKEY_INDEX", 4},
                                            {"PORT", 5},
                                            {"QKEY", 6},
                                            {"AV", 7},
                                            {"PATH_MTU", 8},
                                            {"TIMEOUT", 9},
                                            {"RETRY_CNT", 10},
                                            {"RNR_RETRY", 11},
                                            {"RQ_PSN", 12},
                                            {"MAX_QP_RD_ATOMIC", 13},
                                            {"ALT_PATH", 14},
                                            {"MIN_RNR_TIMER", 15},
                                            {"SQ_PSN", 16},
                                            {"MAX_DEST_RD_ATOMIC", 17},
                                            {"PATH_MIG_STATE", 18},
                                            {"CAP", 19},
                                            {"DEST_QPN", 20}};

/// One step of one transport service, and whether there is one.
struct Expected
{
    QpType type;
    QpState from;
    QpState to;
    bool legal{false};
    uint32_t required{0};
    uint32_t optional{0};

    std::string Name() const
    {
        const char* const services[] = {"RC", "UC", "UD"};
        return std::string(ToString(from)) + " " + ToString(to) + " " +
               services[static_cast<int>(type)];
    }
};

uint32_t
ReadMask(std::istream& in, const std::string& stop)
{
    uint32_t mask = 0;
    std::string word;
    while (in >> word && word != stop)
    {
        mask |= 1U << kBits.at(word);
    }
    return mask;
}

/// All 7 × 7 pairs of the three transport services.
std::vector<Expected>
Expectations()
{
    std::map<std::string, std::pair<uint32_t, uint32_t>> masks;
    std::istringstream rows(kAttributes);
    for (std::string from, to, service; rows >> from >> to >> service;)
    {
        const uint32_t required = ReadMask(rows, "/");
        masks[from + " " + to + " " + service] = {required, ReadMask(rows, ";")};
    }
    std::vector<Expected> all;
    std::istringstream in(kMatrix);
    std::string word;
    for (int i = 0; i < 7; ++i)
    {
        in >> word;
        EXPECT_EQ(word, ToString(static_cast<QpState>(i)));
    }
    for (int from = 0; from < 7; ++from)
    {
        in >> word;
        EXPECT_EQ(word, ToString(static_cast<QpState>(from)));
        for (int to = 0; to < 7; ++to)
        {
            in >> word;
            for (QpType type : kTypes)
            {
                Expected e{type, static_cast<QpState>(from), static_cast<QpState>(to)};
                e.legal = word == "x" || (word == "u" && type != QpType::Rc);
                if (auto found = masks.find(e.Name()); found != masks.end())
                {
                    EXPECT_TRUE(e.legal) << e.Name();
                    std::tie(e.required, e.optional) = found->second;
                    masks.erase(found);
                }
                all.push_back(e);
            }
        }
    }
    EXPECT_TRUE(masks.empty());
    return all;
}

TEST(QueuePairTransition, SevenStatesByThreeServices)
{
    int legal = 0;
    for (const Expected& e : Expectations())
    {
        const Status status = CheckTransition(e.type, e.from, e.to, kQpState | e.required);
        EXPECT_EQ(status, e.legal ? Status::Ok : Status::IllegalTransition) << e.Name();
        legal += e.legal;
    }
    EXPECT_EQ(legal, 3 * 22 + 2);
}

TEST(QueuePairTransition, EveryAttributeOfEveryStep)
{
    for (const Expected& e : Expectations())
    {
        if (!e.legal)
        {
            continue;
        }
        const uint32_t least = kQpState | e.required;
        EXPECT_EQ(CheckTransition(e.type, e.from, e.to, least | e.optional), Status::Ok)
            << e.Name();
        for (uint32_t bit = 1; bit < 1U << kMembers; bit *= 2)
        {
            if (e.required & bit)
            {
                EXPECT_EQ(CheckTransition(e.type, e.from, e.to, least & ~bit),
                          Status::MissingAttribute)
                    << e.Name() << " without " << bit;
                continue;
            }
            const bool allowed = (e.optional | kQpState) & bit;
            EXPECT_EQ(CheckTransition(e.type, e.from, e.to, least | bit),
                      allowed ? Status::Ok : Status::SurplusAttribute)
                << e.Name() << " with " << bit;
        }
    }
}

TEST(QueuePairTransition, AMaskWithoutTheStateKeepsIt)
{
    for (const Expected& e : Expectations())
    {
        if (e.from != e.to)
        {
            continue;
        }
        for (int to = 0; to < 7; ++to)
        {
            EXPECT_EQ(CheckTransition(e.type, e.from, static_cast<QpState>(to), e.optional),
                      e.legal ? Status::Ok : Status::IllegalTransition)
                << e.Name();
        }
    }
    EXPECT_EQ(CheckTransition(QpType::Rc, QpState::Rts, QpState::Rts, kQpSendPsn),
              Status::SurplusAttribute);
}

// An attribute that is missing is named before one too many, and no step before both.
TEST(QueuePairTransition, WhatIsSaidFirst)
{
    const uint32_t init = kQpState | kQpPkeyIndex | kQpPort | kQpAccessFlags;
    EXPECT_EQ(CheckTransition(QpType::Rc, QpState::Reset, QpState::Init, init), Status::Ok);
    EXPECT_EQ(
        CheckTransition(QpType::Rc, QpState::Reset, QpState::Init, (init & ~kQpPort) | kQpQkey),
        Status::MissingAttribute);
    EXPECT_EQ(CheckTransition(QpType::Rc, QpState::Reset, QpState::Rtr, kQpState | kQpQkey),
              Status::IllegalTransition);
    EXPECT_EQ(CheckTransition(QpType::Rc, QpState::Reset, static_cast<QpState>(7), kQpState),
              Status::IllegalTransition);
}

TEST(QueuePairTransition, BitsAreNumberedAsInTheVerbs)
{
    uint32_t all = 0;
    for (const auto& [name, bit] : kBits)
    {
        all |= 1U << bit;
    }
    EXPECT_EQ(all, (1U << kMembers) - 1);
    EXPECT_EQ(kQpDestinationNumber, 1U << kBits.at("DEST_QPN"));
    EXPECT_EQ(kQpCapabilities, 1U << kBits.at("CAP"));
    EXPECT_EQ(kQpReceivePsn, 1U << kBits.at("RQ_PSN"));
}

/// Sets one member to one value; all others are good.
template <class Set>
Status
Check(uint32_t mask, Set set)
{
    QueuePairAttributes attributes;
    attributes.currentState = QpState::Rts;
    attributes.addressVector.destination = 1;
    set(attributes);
    return CheckValues(attributes, mask);
}

/// Values at the ends of a member's range are taken, those beyond are refused if the mask names it.
template <class Set>
void
ExpectRange(QpAttributeMask member, int64_t low, int64_t high, int64_t least, int64_t most, Set set)
{
    const auto with = [set](int64_t value) {
        return [set, value](QueuePairAttributes& a) { set(a, value); };
    };
    const uint32_t all = (1U << kMembers) - 1;
    for (int64_t value : {low, high})
    {
        EXPECT_EQ(Check(member, with(value)), Status::Ok) << member << " " << value;
        EXPECT_EQ(Check(all, with(value)), Status::Ok) << member << " " << value;
    }
    for (int64_t value : {low - 1, high + 1, least, most})
    {
        if (value < least || value > most || (value >= low && value <= high))
        {
            continue;
        }
        EXPECT_EQ(Check(member, with(value)), Status::InvalidAttribute) << member << " " << value;
        EXPECT_EQ(Check(all, with(value)), Status::InvalidAttribute) << member << " " << value;
        EXPECT_EQ(Check(all & ~member, with(value)), Status::Ok) << member << " " << value;
    }
}

TEST(QueuePairValues, DefaultsAreGood)
{
    EXPECT_EQ(Check((1U << kMembers) - 1, [](QueuePairAttributes&) {}), Status::Ok);
    EXPECT_EQ(CheckValues({}, 0), Status::Ok);
    // Nobody has said yet where to, nor what the state was.
    EXPECT_EQ(CheckValues({}, kQpAddressVector), Status::InvalidAttribute);
    EXPECT_EQ(CheckValues({}, kQpCurrentState), Status::InvalidAttribute);
}

TEST(QueuePairValues, Ranges)
{
    using A = QueuePairAttributes;
    ExpectRange(kQpState, 0, 6, 0, 255, [](A& a, int64_t v) { a.state = static_cast<QpState>(v); });
    ExpectRange(kQpCurrentState, 2, 5, 0, 255, [](A& a, int64_t v) {
        a.currentState = static_cast<QpState>(v);
    });
    ExpectRange(
        kQpPathMtu, 1, 5, 0, 255, [](A& a, int64_t v) { a.pathMtu = static_cast<PathMtu>(v); });
    ExpectRange(kQpAccessFlags, 0, 15, 0, 0xFFFFFFFF, [](A& a, int64_t v) { a.accessFlags = v; });
    ExpectRange(kQpTimeout, 0, 31, 0, 255, [](A& a, int64_t v) { a.timeout = v; });
    ExpectRange(kQpRetryCount, 0, 7, 0, 255, [](A& a, int64_t v) { a.retryCount = v; });
    ExpectRange(kQpRnrRetry, 0, 7, 0, 255, [](A& a, int64_t v) { a.rnrRetry = v; });
    ExpectRange(kQpMinRnrTimer, 0, 31, 0, 255, [](A& a, int64_t v) { a.minRnrTimer = v; });
    ExpectRange(kQpDestinationNumber, 0, 0xFFFFFF, 0, 0xFFFFFFFF, [](A& a, int64_t v) {
        a.destinationNumber = v;
    });
    ExpectRange(kQpAddressVector, -1, 7, -1000, 1000, [](A& a, int64_t v) {
        a.addressVector.priority = v;
    });
    ExpectRange(kQpAddressVector, 0, kNoNode - 1, 0, kNoNode, [](A& a, int64_t v) {
        a.addressVector.destination = v;
    });
    ExpectRange(kQpAddressVector, 0, INT64_MAX / 2, -1, INT64_MAX / 2, [](A& a, int64_t v) {
        a.addressVector.baseRtt = v;
    });
    // Every value of these is one.
    ExpectRange(kQpSendPsn, 0, 0xFFFFFFFF, 0, 0xFFFFFFFF, [](A& a, int64_t v) { a.sendPsn = v; });
    ExpectRange(
        kQpReceivePsn, 0, 0xFFFFFFFF, 0, 0xFFFFFFFF, [](A& a, int64_t v) { a.receivePsn = v; });
    ExpectRange(kQpMaxReadAtomic, 0, 255, 0, 255, [](A& a, int64_t v) { a.maxReadAtomic = v; });
    ExpectRange(
        kQpMaxDestReadAtomic, 0, 255, 0, 255, [](A& a, int64_t v) { a.maxDestReadAtomic = v; });
    ExpectRange(kQpPkeyIndex, 0, 0xFFFF, 0, 0xFFFF, [](A& a, int64_t v) { a.pkeyIndex = v; });
    ExpectRange(kQpPort, 0, 255, 0, 255, [](A& a, int64_t v) { a.port = v; });
    ExpectRange(kQpQkey, 0, 0xFFFFFFFF, 0, 0xFFFFFFFF, [](A& a, int64_t v) { a.qkey = v; });
}

} // namespace
