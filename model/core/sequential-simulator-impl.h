// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SEQUENTIAL_SIMULATOR_IMPL_H
#define AIFABRIC_SEQUENTIAL_SIMULATOR_IMPL_H

#include "fabric-compat.h"
#include "fabric-time.h"
#include "radix-scheduler.h"

#include "ns3/simulator-impl.h"

#include <list>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-engine
 * ns-3's sequential simulator again, with nothing virtual between the arming of an event and its
 * dispatch but the event itself. It does what ns3::DefaultSimulatorImpl does, in the same order, with
 * any scheduler; with RadixScheduler it is fast.
 *
 * Chosen by ns-3's global value "SimulatorImplementationType" or by UseSequentialSimulator().
 *
 * Everything must happen in one thread: unlike ns-3's it takes no events from others (an emulated
 * or tap device needs ns-3's real-time simulator anyway).
 */
class SequentialSimulatorImpl final : public SimulatorImpl
{
  public:
    static TypeId GetTypeId();

    SequentialSimulatorImpl();
    ~SequentialSimulatorImpl() override;

    /// @return the simulator's implementation if it is of this class, else null.
    static SequentialSimulatorImpl* Current()
    {
        return s_current;
    }

    /**
     * Schedules without an EventId.
     * @param ts when, not before Now().
     * @param context ns-3's node id that the event runs in.
     * @param event the event; one reference passes to the simulator.
     */
    void At(Tick ts, uint32_t context, EventImpl* event)
    {
        if (m_radix)
        {
            m_radix->Put(event, ts, NextUid(), context);
            return;
        }
        InsertElsewhere(ts, context, event);
    }

    /// @return the present; as Now() without the detour.
    Tick GetNow() const
    {
        return static_cast<Tick>(m_now);
    }

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    compat::StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

    /// The next event gets that uid: for tests of the wrap at 2^32.
    void SetNextUid(uint32_t uid)
    {
        m_uid = uid;
    }

  private:
    void DoDispose() override;
    void InsertElsewhere(Tick ts, uint32_t context, EventImpl* event);

    /// Uids wrap to the first that has no special meaning.
    uint32_t NextUid()
    {
        uint32_t uid = m_uid++;
        m_uid += m_uid == 0 ? EventId::VALID : 0;
        return uid;
    }

    template <class S>
    void RunWith(S& events);

    static inline SequentialSimulatorImpl* s_current = nullptr;

    RadixScheduler* m_radix{nullptr}; ///< m_events, if it is of that class
    uint64_t m_now{0};
    uint32_t m_uid{EventId::VALID};
    uint32_t m_currentUid{0};
    uint32_t m_context;
    bool m_stop{false};
    uint64_t m_count{0};
    Ptr<Scheduler> m_events;
    std::list<EventId> m_atDestroy;
};

/**
 * @ingroup ai-fabric-engine
 * From now on simulations of this process run on SequentialSimulatorImpl and that scheduler. Must
 * come before anything asks the simulator for anything, as the making of a FabricHelper does, or
 * after Simulator::Destroy: a simulator that is there already stays.
 */
void UseSequentialSimulator(TypeId scheduler = RadixScheduler::GetTypeId());

} // namespace ns3::aifabric

#endif // AIFABRIC_SEQUENTIAL_SIMULATOR_IMPL_H
