// SPDX-License-Identifier: GPL-2.0-only
#include "loss-recovery.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aifabric
{
namespace
{

/**
 * Placement out of order, for networks that spray the frames of a flow over many paths: each frame of
 * a WRITE has its own address, so that it goes to memory when it arrives, while messages end in order.
 * That frames overtake each other is no sign of a loss: one is lost when another arrived that was sent
 * much later, by more than a bandwidth-delay product, or after a timeout.
 */
class OutOfOrder : public LossRecovery
{
  public:
    static TypeId GetTypeId()
    {
        using S = OutOfOrder;
        static TypeId tid =
            TypeId("ns3::aifabric::OutOfOrder")
                .SetParent<LossRecovery>()
                .SetGroupName("AiFabric")
                .AddConstructor<S>()
                .AddAttribute(
                    "ReorderFrames",
                    "Frames beyond the expected one that the receiver keeps, and that may "
                    "be under way, at most",
                    UintegerValue(8192),
                    MakeUintegerAccessor(&S::m_reorderFrames),
                    MakeUintegerChecker<uint32_t>(1, 1 << 20))
                .AddAttribute("ReorderDistance",
                              "A frame is lost when one has arrived that was sent later by more "
                              "than so many bandwidth-delay products of the empty path",
                              DoubleValue(1.5),
                              MakeDoubleAccessor(&S::m_reorderDistance),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("MinReorderFrames",
                              "And by more than so many frames",
                              UintegerValue(5),
                              MakeUintegerAccessor(&S::m_minReorderFrames),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    uint32_t GetReorderFrames() const override
    {
        return m_reorderFrames;
    }

    bool NaksGaps() const override
    {
        return false;
    }

    bool AddressesEveryFrame() const override
    {
        return true;
    }

    uint64_t FindLostEnd(const SentFrames& frames) const override
    {
        const uint64_t distance = std::max<uint64_t>(
            m_minReorderFrames, static_cast<uint64_t>(m_reorderDistance * frames.window));
        return frames.sackedEnd > distance + 1 ? frames.sackedEnd - 1 - distance : 0;
    }

  private:
    uint32_t m_reorderFrames;
    uint32_t m_minReorderFrames;
    double m_reorderDistance;
};

NS_OBJECT_ENSURE_REGISTERED(OutOfOrder);

} // namespace
} // namespace ns3::aifabric
