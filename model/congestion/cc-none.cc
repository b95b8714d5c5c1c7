// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

namespace ns3::aifabric
{
namespace
{

struct State
{
};

/// No congestion control: line rate and no window, whatever happens. What is left is flow control.
class None : public CongestionControlFor<None, State>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::None")
                                .SetParent<CongestionControl>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<None>();
        return tid;
    }

    void OnBegin(FlowView&, State&) const
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(None);

} // namespace
} // namespace ns3::aifabric
