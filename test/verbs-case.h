// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_VERBS_CASE_H
#define AIFABRIC_VERBS_CASE_H

#include "verbs-connector.h"
#include "verbs-poller.h"
#include "verbs-poster.h"
#include "verbs-shared-receives.h"
#include "verbs-verdict.h"

#include "ns3/simulator.h"

#include <cstdint>

namespace ns3::aifabric::test
{

/// One random case: two hosts, some queue pairs, requests from either end of each.
class VerbsCase
{
  public:
    VerbsCase(uint64_t seed, Totals& totals)
        : m_setting(seed),
          m_connector(m_setting),
          m_sharedReceives(m_setting),
          m_poster(m_setting),
          m_poller(m_setting, m_poster),
          m_totals(totals)
    {
    }

    void Run()
    {
        SCOPED_TRACE(m_setting.says.str());
        if (m_setting.cutAt)
        {
            Simulator::Schedule(TimeStep(m_setting.Pick(60) * kMicrosecond), [this] {
                m_setting.pair.host[0].cable.cut = m_setting.pair.host[1].cable.cut = true;
            });
        }
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        m_poller.TakeAll();
        VerbsVerdict verdict(m_setting, m_totals);
        verdict.Check();
        verdict.Flush();
        m_poller.TakeAll();
        verdict.CheckFlushed();
        m_sharedReceives.Check();
        m_totals.limits += m_sharedReceives.CountTold();
        Simulator::Destroy();
    }

  private:
    VerbsSetting m_setting;
    VerbsConnector m_connector;
    VerbsSharedReceives m_sharedReceives;
    VerbsPoster m_poster;
    VerbsPoller m_poller;
    Totals& m_totals;
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_VERBS_CASE_H
