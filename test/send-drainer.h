// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEND_DRAINER_H
#define AIFABRIC_SEND_DRAINER_H

#include "send-watch.h"

#include "ns3/queue-pair.h"
#include "ns3/simulator.h"

#include <functional>
#include <random>
#include <utility>

namespace ns3::aifabric::test
{

/**
 * Takes one end of a queue pair to SQD and back to RTS in the middle of its traffic: sometimes told
 * that it has drained, sometimes not, or not waiting for it; in between with other attributes.
 */
class SendDrainer
{
  public:
    /// @param checkEnded is called when the queue has drained.
    SendDrainer(std::mt19937_64& dice,
                QueuePair& queuePair,
                SendWatch& watch,
                std::function<void()> checkEnded)
        : m_dice(dice),
          m_queuePair(queuePair),
          m_watch(watch),
          m_checkEnded(std::move(checkEnded))
    {
    }

    /// Plans some drains up to about that instant.
    void Plot(Tick horizon)
    {
        for (uint32_t left = 1 + Pick(3); left > 0; --left)
        {
            const Tick at = static_cast<Tick>(m_dice() % static_cast<uint64_t>(horizon + 1));
            Simulator::Schedule(TimeStep(at), [this] { Stop(); });
        }
    }

    /// The event.
    void OnDrained()
    {
        ++m_told;
        EXPECT_EQ(m_queuePair.GetState(), QpState::Sqd);
        EXPECT_TRUE(m_wants);
        EXPECT_FALSE(m_drained) << "told twice";
        m_drained = true;
        m_checkEnded();
        Change(Status::Ok);
        const uint32_t when = Pick(3);
        if (when == 0)
        {
            Go(m_number);
        }
        else
        {
            GoLater(10 * kMicrosecond);
        }
    }

    /// @return how often it has drained.
    uint64_t CountTold() const
    {
        return m_told;
    }

  private:
    uint32_t Pick(uint32_t choices)
    {
        return static_cast<uint32_t>(m_dice() % choices);
    }

    static Tick Now()
    {
        return Simulator::Now().GetTimeStep();
    }

    void Stop()
    {
        if (m_queuePair.GetState() != QpState::Rts)
        {
            if (m_queuePair.GetState() != QpState::Sqd)
            {
                EXPECT_EQ(m_queuePair.Modify(QpState::Sqd), Status::IllegalTransition);
            }
            return;
        }
        QueuePairAttributes a;
        a.state = QpState::Sqd;
        a.enableSqdNotify = m_wants = Pick(3) != 0;
        m_drained = false;
        ++m_number;
        m_watch.NoteStop(Now());
        EXPECT_EQ(m_queuePair.Modify(a, kQpState | kQpEnableSqdNotify), Status::Ok);
        if (m_queuePair.GetState() != QpState::Sqd)
        {
            return;
        }
        if (m_wants && !m_drained)
        {
            Change(Status::WrongState);
        }
        if (!m_wants || Pick(4) == 0)
        {
            GoLater(40 * kMicrosecond);
        }
    }

    /// Other attributes, which wait for the drain.
    void Change(Status expected)
    {
        QueuePairAttributes a = m_queuePair.Query();
        if (m_queuePair.GetType() != QpType::Ud)
        {
            a.addressVector.entropy = static_cast<uint16_t>(0xC000 | Pick(0x4000));
            EXPECT_EQ(m_queuePair.Modify(a, kQpAddressVector), expected);
        }
        if (m_queuePair.GetType() == QpType::Rc)
        {
            a.minRnrTimer = static_cast<uint8_t>(1 + Pick(3));
            a.maxReadAtomic = static_cast<uint8_t>(1 + Pick(a.maxDestReadAtomic));
            EXPECT_EQ(m_queuePair.Modify(a, kQpMinRnrTimer | kQpMaxReadAtomic), expected);
        }
    }

    void GoLater(Tick most)
    {
        const Tick delay = static_cast<Tick>(m_dice() % static_cast<uint64_t>(most));
        Simulator::Schedule(TimeStep(delay), [this, number = m_number] { Go(number); });
    }

    void Go(uint32_t number)
    {
        if (number != m_number || m_queuePair.GetState() != QpState::Sqd)
        {
            return;
        }
        m_watch.NoteGo(Now());
        EXPECT_EQ(m_queuePair.Modify(QpState::Rts), Status::Ok);
    }

    std::mt19937_64& m_dice;
    QueuePair& m_queuePair;
    SendWatch& m_watch;
    std::function<void()> m_checkEnded;
    uint64_t m_told{0};
    uint32_t m_number{0}; ///< of the present drain
    bool m_wants{false};  ///< to be told
    bool m_drained{false};
};

} // namespace ns3::aifabric::test

#endif // AIFABRIC_SEND_DRAINER_H
