// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CREDIT_GATE_H
#define AIFABRIC_CREDIT_GATE_H

#include "ns3/congestion-control.h"
#include "ns3/credit-policy.h"

#include <memory>

namespace ns3::aifabric
{

class EgressPort;
class RdmaNic;

/**
 * @ingroup ai-fabric-transport
 * The receiving side of a congestion control at a port of a NIC, and what it does there.
 */
class CreditGate final : public CreditPort
{
  public:
    /// @param nic its queue pairs are the flows. @param port of the NIC: the way out.
    /// @param control whose receiving side it is.
    CreditGate(const RdmaNic& nic, const EgressPort& port, Ptr<const CongestionControl> control);
    CreditGate(const CreditGate&) = delete;
    CreditGate& operator=(const CreditGate&) = delete;
    ~CreditGate();

    double GetLineRate() const override;
    void SendCredit(uint32_t flow, uint64_t credit, Tick now) override;
    void WakeAt(Tick at, Tick now) override;

    /// @return null where nobody grants credits.
    CreditPolicy* GetPolicy() const
    {
        return m_policy.get();
    }

  private:
    class Timer;

    void OnTimer(Tick now);

    const RdmaNic& m_nic;
    const EgressPort& m_port;
    Ptr<const CongestionControl> m_control; ///< stays as long as its policy
    Timer* m_timer;
    Tick m_armedAt{kNever};
    std::unique_ptr<CreditPolicy> m_policy;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CREDIT_GATE_H
