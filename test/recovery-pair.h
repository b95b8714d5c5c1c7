// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_RECOVERY_PAIR_H
#define AIFABRIC_RECOVERY_PAIR_H

#include "fabric-bed.h"
#include "transport-pair.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3::aifabric::test
{

/// Two NICs that recover from losses in a way that has a name.
class RecoveryPair : public Pair
{
  protected:
    static bool IsData(const Frame& f)
    {
        return f.op < Opcode::Acknowledge;
    }

    /// Before Build() or Restart().
    void Recover(const std::string& id, const AttributeTexts& attributes = {})
    {
        recovery = With(MakePlugin<LossRecovery>(id), attributes);
    }

    /// Forgets the connection before, if there was one, and makes one as it is set now.
    void Restart(uint32_t psn = 0)
    {
        const bool first = qp.empty();
        qp.clear();
        peer.clear();
        sent.clear();
        received.clear();
        if (first)
        {
            Build();
            qp.clear();
            peer.clear();
        }
        profile =
            std::make_shared<TransportProfile>(*settings, headers, mtu, control, rateBps, recovery);
        Connect(psn);
    }

    /// Loses the given transmissions (from 0) of some data frames.
    void LoseData(std::set<uint32_t> psns, std::set<int> transmissions = {0})
    {
        tamper[1].lose = [=, seen = std::map<uint32_t, int>()](Frame& f, Tick) mutable {
            return IsData(f) && psns.count(f.psn) && transmissions.count(seen[f.psn]++);
        };
    }

    /// Payload of one WRITE went through, and only once.
    void ExpectDelivered(uint64_t bytes)
    {
        ASSERT_EQ(sent.size(), 1U);
        EXPECT_EQ(sent[0].completion.status, WcStatus::Success);
        EXPECT_EQ(nic[1].GetCounters().deliveredBytes, bytes);
    }

    /// @return how long a full data frame, other than the first, takes on the wire.
    Tick Slot() const
    {
        return WireTime(profile->headers.DataFrame(mtu, profile->addressesEveryFrame));
    }

    Tick WireTime(uint32_t bytes) const
    {
        return static_cast<Tick>((bytes + headers.gapBytes) * 8e12 / rateBps);
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_RECOVERY_PAIR_H
