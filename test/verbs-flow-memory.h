// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_FLOW_MEMORY_H
#define AIFABRIC_VERBS_FLOW_MEMORY_H

#include "verbs-pair.h"
#include "verbs-plan.h"

#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

namespace ns3::aifabric::test
{

/// Where the requests of one end of a queue pair find their bytes, at either host, and what should
/// become of these.
class VerbsFlowMemory
{
  public:
    /// How a case wants it.
    struct Habits
    {
        double signaled{0.7};
        double inlined{0.2};
        double fenced{0.1};
        double solicited{0.2};
        bool checksKeys{true};
        bool sharedWord{false}; ///< FETCH ADDs of all queue pairs to one word
        bool faulty{false};     ///< something will go wrong
    };

    VerbsHost* here{nullptr};
    VerbsHost* there{nullptr};
    Habits habits;
    Range word; ///< at the peer, of atomics
    std::vector<Posted> posted;

    static bool IsAtomic(WrOpcode opcode)
    {
        return opcode == WrOpcode::CompareSwap || opcode == WrOpcode::FetchAdd;
    }

  protected:
    static uint64_t GetWord(const std::byte* at)
    {
        uint64_t value;
        std::memcpy(&value, at, sizeof(value));
        return value;
    }

    static void SetWord(std::byte* at, uint64_t value)
    {
        std::memcpy(at, &value, sizeof(value));
    }

    /// Gives a request its memory at either end, and does there what it should do, by the book.
    void FindMemory(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        switch (next.opcode)
        {
        case WrOpcode::Read:
            PlanRead(next, p, dice);
            break;
        case WrOpcode::CompareSwap:
        case WrOpcode::FetchAdd:
            PlanAtomic(next, p, dice);
            break;
        case WrOpcode::Write:
        case WrOpcode::WriteWithImmediate:
            PlanWrite(next, p, dice);
            break;
        default:
            p.local = here->memory.Take(next.bytes, 0);
            here->memory.Fill(p.local);
            p.content.assign(p.local.GetBytes(), p.local.GetBytes() + next.bytes);
            if (next.opcode == WrOpcode::SendWithInvalidate)
            {
                p.invalidates = there->domain.RegisterAddresses(64, 64, kRemoteRead);
                p.request.immediate = p.invalidates->GetKey() + (next.wrong == Wrong::Key);
            }
            break;
        }
        p.request.address = p.local.GetAddress();
        p.request.localKey = p.local.GetKey();
        p.request.remoteAddress = p.remote.GetAddress();
        p.request.remoteKey = p.remote.GetKey();
        switch (next.wrong)
        {
        case Wrong::Key:
            p.request.remoteKey = dice() % 2 ? 0 : p.request.remoteKey + 1;
            break;
        case Wrong::Range:
            Misplace(p, dice);
            break;
        case Wrong::Alignment:
            p.request.remoteAddress += 4;
            break;
        case Wrong::LocalKey:
            ++p.request.localKey;
            break;
        default:
            break;
        }
    }

    /// Makes a request reach beyond its region, by as little as that can be, or by much.
    static void Misplace(Posted& p, std::mt19937_64& dice)
    {
        const MemoryRegion& region = *p.remote.region->registered;
        const uint64_t end = region.GetAddress() + region.GetLength();
        const uint64_t step = IsAtomic(p.request.opcode) ? kAtomicBytes : 1;
        const uint64_t places[] = {(end - p.request.bytes) / step * step + step,
                                   region.GetAddress() - step,
                                   end / step * step,
                                   0,
                                   ~uint64_t{0} / step * step};
        p.request.remoteAddress = places[dice() % std::size(places)];
    }

    void PlanWrite(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        constexpr uint32_t kAccess = kLocalWrite | kRemoteWrite;
        p.local = here->memory.Take(next.bytes, 0);
        here->memory.Fill(p.local);
        const bool refused = next.wrong == Wrong::Permission;
        if (m_lastRead && !habits.faulty && posted[*m_lastRead].remote.bytes >= next.bytes &&
            dice() % 2 == 0)
        {
            // What a READ reads may change once it has ended: that is what the fence is for.
            p.remote = posted[*m_lastRead].remote;
            p.remote.bytes = next.bytes;
            p.request.fence = true;
            m_lastRead.reset();
        }
        else
        {
            p.remote = there->memory.Take(
                next.bytes,
                refused ? 0 : kAccess | (dice() % 2 ? 0U : static_cast<uint32_t>(kRemoteRead)),
                refused ? static_cast<uint32_t>(kRemoteWrite) : 0U);
        }
        Remember(p, p.remote);
        if (next.wrong == Wrong::Nothing)
        {
            std::memcpy(p.remote.GetExpected(), p.local.GetBytes(), next.bytes);
        }
        if (p.remote.region->access & kRemoteRead && !refused)
        {
            m_lastWrite = posted.size();
        }
    }

    void PlanRead(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        p.local = here->memory.Take(next.bytes, kLocalWrite);
        const bool refused = next.wrong == Wrong::Permission;
        if (m_lastWrite && posted[*m_lastWrite].remote.bytes >= next.bytes && !refused &&
            dice() % 2 == 0)
        {
            p.remote = posted[*m_lastWrite].remote;
            p.remote.bytes = next.bytes;
        }
        else
        {
            const bool rewritten = dice() % 2 == 0;
            const uint32_t access =
                kRemoteRead | (rewritten ? static_cast<uint32_t>(kLocalWrite | kRemoteWrite) : 0U);
            p.remote = there->memory.Take(next.bytes,
                                          refused ? 0 : access,
                                          refused ? static_cast<uint32_t>(kRemoteRead) : 0U);
            there->memory.Fill(p.remote);
            if (rewritten && !refused)
            {
                m_lastRead = posted.size();
            }
        }
        Remember(p, p.local);
        if (next.wrong == Wrong::Nothing)
        {
            std::memcpy(p.local.GetExpected(), p.remote.GetExpected(), next.bytes);
        }
    }

    void PlanAtomic(const Plan& next, Posted& p, std::mt19937_64& dice)
    {
        p.local = here->memory.Take(kAtomicBytes, kLocalWrite);
        p.remote = word;
        WorkRequest& r = p.request;
        const uint64_t value = GetWord(word.GetExpected());
        p.original = value;
        // Half of the swaps meet what they compare with.
        r.compareAdd = next.opcode == WrOpcode::CompareSwap && dice() % 2 ? value : dice();
        r.swap = dice();
        Remember(p, p.local);
        if (next.wrong == Wrong::Permission)
        {
            p.remote = there->memory.Take(kAtomicBytes, 0, kRemoteAtomic);
        }
        if (next.wrong != Wrong::Nothing)
        {
            return;
        }
        if (habits.sharedWord)
        {
            // In which order others' arrive is open: the sum is not.
            r.compareAdd = 1;
            SetWord(word.GetExpected(), value + 1);
            return;
        }
        SetWord(p.local.GetExpected(), value);
        const bool swaps = next.opcode == WrOpcode::CompareSwap;
        SetWord(word.GetExpected(),
                swaps ? (value == r.compareAdd ? r.swap : value) : value + r.compareAdd);
    }

    void Remember(Posted& p, const Range& range) const
    {
        if (habits.faulty)
        {
            p.before.assign(range.GetExpected(), range.GetExpected() + range.bytes);
        }
    }

  private:
    std::optional<std::size_t> m_lastWrite; ///< that may be read
    std::optional<std::size_t> m_lastRead;  ///< that may be overwritten
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_FLOW_MEMORY_H
