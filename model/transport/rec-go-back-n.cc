// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

namespace ns3::aifabric
{
namespace
{

/// The receiver takes frames in order only, and names the expected one once; the sender goes back to
/// it (IBA vol. 1, 9.7.5). What everything else is measured against.
class GoBackN : public LossRecovery
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::GoBackN")
                                .SetParent<LossRecovery>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<GoBackN>();
        return tid;
    }

    uint32_t GetReorderFrames() const override
    {
        return 0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GoBackN);

} // namespace
} // namespace ns3::aifabric
