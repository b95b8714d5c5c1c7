// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/double.h"
#include "ns3/scenario-error.h"

namespace ns3::aifabric
{
namespace
{

struct State
{
};

/// Paces every flow at one rate, whatever happens.
class Fixed : public CongestionControlFor<Fixed, State>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::Fixed")
                .SetParent<CongestionControl>()
                .SetGroupName("AiFabric")
                .AddConstructor<Fixed>()
                .AddAttribute("Rate",
                              "Rate of each flow on its wire, overhead included; 0 leaves it to "
                              "LineFraction",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&Fixed::m_rate),
                              MakeDataRateChecker())
                .AddAttribute("LineFraction",
                              "Rate of each flow as a share of the line rate of its port, above 0 "
                              "and up to 1",
                              DoubleValue(1),
                              MakeDoubleAccessor(&Fixed::m_lineFraction),
                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    void OnBegin(FlowView& flow, State&) const
    {
        auto rate = static_cast<double>(m_rate.GetBitRate());
        flow.rate = rate > 0 ? rate : m_lineFraction * flow.lineRate;
    }

  private:
    Ptr<CongestionControl> Configure(double lineRate) const override
    {
        auto rate = static_cast<double>(m_rate.GetBitRate());
        if (rate > lineRate)
        {
            throw ScenarioError("rate",
                                "found " + std::to_string(rate / 1e9) +
                                    " Gb/s, expected no more than the port's " +
                                    std::to_string(lineRate / 1e9) + " Gb/s");
        }
        if (rate > 0 && m_lineFraction != 1)
        {
            throw ScenarioError("line_fraction", "found beside rate, expected one of the two");
        }
        if (m_lineFraction <= 0)
        {
            throw ScenarioError("line_fraction", "found 0, expected a share above 0 and up to 1");
        }
        return nullptr;
    }

    DataRate m_rate;
    double m_lineFraction;
};

NS_OBJECT_ENSURE_REGISTERED(Fixed);

} // namespace
} // namespace ns3::aifabric
