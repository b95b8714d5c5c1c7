// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_SETTING_H
#define AIFABRIC_VERBS_SETTING_H

#include "verbs-flow.h"

#include "ns3/object-factory.h"
#include "ns3/transport-profile.h"
#include "ns3/transport-settings.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <vector>

namespace ns3::aifabric::test
{

/// Why the network is as it is.
enum class Weather : uint8_t
{
    Calm,
    Losing,
    Reordering,
    Stormy ///< all of it at once
};

/// What a random case is about: the dice, two hosts, the weather between them, and all flows.
struct VerbsSetting
{
    explicit VerbsSetting(uint64_t seed)
        : dice(seed * 0x9E3779B97F4A7C15U + 1),
          pair(dice, 100 * kNanosecond * (1 + Pick(20)), Pick(2) * 300 * kNanosecond)
    {
        faulty = Pick(4) == 0;
        cutAt = faulty && Pick(4) == 0;
        weather = static_cast<Weather>(Pick(4));
        says << "seed " << seed << ":";
        for (VerbsHost& host : pair.host)
        {
            const bool loses = weather == Weather::Losing || weather == Weather::Stormy;
            const bool reorders = weather == Weather::Reordering || weather == Weather::Stormy;
            host.cable.loses = loses ? Share(0.04) : 0;
            host.cable.trims = loses && Pick(3) == 0 ? Share(0.1) : 0;
            host.cable.doubles = reorders ? Share(0.1) : 0;
            host.cable.delays = reorders ? Share(0.3) : 0;
            host.cable.longestDelay = 1 + Pick(10000) * kNanosecond;
            host.cable.marks = Pick(4) == 0 ? Share(0.1) : 0;
        }
        MakeProfile();
        sharesReceives = Pick(4) == 0;
        shortShared = sharesReceives && faulty && !cutAt && Pick(2) == 0;
        polls = Pick(4) == 0;
        overflows = polls && faulty && Pick(2) == 0;
        drains = Pick(3) == 0;
        const uint32_t connections = 1 + Pick(4);
        flows.resize(2 * connections);
        says << (sharesReceives ? ", shared receives" : "") << (shortShared ? " some short" : "")
             << (polls ? ", polls" : "") << (overflows ? " too late" : "")
             << (drains ? ", drains" : "") << ", " << connections << " queue pairs";
        for (VerbsHost& host : pair.host)
        {
            if (polls)
            {
                constexpr std::size_t kPlenty = 1U << 20;
                host.polledSends =
                    std::make_unique<CompletionQueue>(overflows ? 1 + Pick(40) : kPlenty);
                host.polledReceives =
                    std::make_unique<CompletionQueue>(overflows ? 1 + Pick(40) : kPlenty);
            }
        }
    }

    /// @return one of so many choices.
    uint32_t Pick(uint32_t choices)
    {
        return static_cast<uint32_t>(dice() % choices);
    }

    double Share(double most)
    {
        return std::generate_canonical<double, 32>(dice) * most;
    }

    std::mt19937_64 dice;
    std::ostringstream says; ///< what it is, for whoever has to find a fault
    VerbsPair pair;
    bool faulty{false};         ///< something is wrong with a request, or the cable is cut
    bool cutAt{false};          ///< the latter
    bool sharedWord{false};     ///< atomics of a direction go to one word
    bool sharesReceives{false}; ///< receives are the hosts'
    bool shortShared{false};    ///< of which some are too short
    bool polls{false};          ///< completions are polled
    bool overflows{false};      ///< too late
    bool drains{false};         ///< queue pairs go to SQD and back
    Weather weather{Weather::Calm};
    uint32_t patience{7}; ///< RNR retries of the queue pair being made
    uint32_t mtu{0};
    uint64_t firstValue[2]{}; ///< of the words that are shared
    std::shared_ptr<const TransportProfile> profile;
    std::vector<VerbsFlow> flows; ///< even ones from host 0, each before its peer
    std::vector<PostedReceive> shared[2];
    std::map<uint32_t, VerbsFlow*> byNumber[2];

  private:
    void MakeProfile()
    {
        static const char* const kRecoveries[] = {"",
                                                  "ns3::aifabric::GoBackN",
                                                  "ns3::aifabric::SelectiveRepeat",
                                                  "ns3::aifabric::OutOfOrder"};
        constexpr uint32_t kMtus[] = {256, 512, 1024, 4096};
        const uint32_t recovery = Pick(4);
        Ptr<LossRecovery> way;
        if (recovery > 0)
        {
            way = ObjectFactory(kRecoveries[recovery]).Create<LossRecovery>();
        }
        auto settings = CreateObject<TransportSettings>();
        settings->retransmissionTimeout = MicroSeconds(40 + Pick(100));
        settings->ackInterval = 1 + Pick(4);
        settings->maxReadAtomic = 1 + Pick(4);
        settings->minRnrTimer = 1 + Pick(3);
        settings->rnrRetryCount = 7;
        mtu = kMtus[Pick(4)];
        Ptr<CongestionControl> control;
        if (Pick(8) == 0)
        {
            control = ObjectFactory("ns3::aifabric::Dcqcn").Create<CongestionControl>();
        }
        profile = std::make_shared<TransportProfile>(
            *settings, kRoceV2Headers, mtu, control, VerbsPair::kRateBps, way);
        says << " " << (way ? way->GetInstanceTypeId().GetName().substr(15) : "no recovery")
             << ", mtu " << mtu << ", ack interval " << settings->ackInterval
             << ", max read atomic " << settings->maxReadAtomic << ", weather "
             << static_cast<int>(weather) << (cutAt ? ", cut" : "");
    }
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_SETTING_H
