// SPDX-License-Identifier: GPL-2.0-only
#include "credit-gate.h"

#include "queue-pair.h"
#include "rdma-nic.h"

#include "ns3/egress-port.h"
#include "ns3/fabric-event.h"

namespace ns3::aifabric
{

/// It may outlive the gate within ns-3's scheduler.
class CreditGate::Timer final : public EventImpl
{
  public:
    explicit Timer(CreditGate* gate)
        : gate(gate)
    {
    }

    CreditGate* gate;

  private:
    void Notify() override
    {
        if (gate)
        {
            gate->OnTimer(Simulator::Now().GetTimeStep());
        }
    }
};

CreditGate::CreditGate(const RdmaNic& nic,
                       const EgressPort& port,
                       Ptr<const CongestionControl> control)
    : m_nic(nic),
      m_port(port),
      m_control(control),
      m_timer(new Timer(this)),
      m_policy(control->MakeCreditPolicy(*this))
{
}

CreditGate::~CreditGate()
{
    m_timer->gate = nullptr;
    m_timer->Unref();
}

double
CreditGate::GetLineRate() const
{
    return m_port.GetBandwidth();
}

void
CreditGate::SendCredit(uint32_t flow, uint64_t credit, Tick now)
{
    if (QueuePair* queuePair = m_nic.FindQueuePair(flow))
    {
        queuePair->SendCredit(static_cast<uint32_t>(credit), now);
    }
}

void
CreditGate::WakeAt(Tick at, Tick now)
{
    if (at < m_armedAt)
    {
        m_armedAt = at;
        ArmEvent(m_timer, now, at, Simulator::NO_CONTEXT);
    }
}

void
CreditGate::OnTimer(Tick now)
{
    // One that was overtaken by an earlier one has nothing left to do.
    if (now == m_armedAt)
    {
        m_armedAt = kNever;
        m_policy->Wake(now);
    }
}

} // namespace ns3::aifabric
