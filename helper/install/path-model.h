// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PATH_MODEL_H
#define AIFABRIC_PATH_MODEL_H

#include "ideal-fct.h"

#include "ns3/fabric-path.h"

namespace ns3::aifabric
{

class Fabric;

/**
 * @ingroup ai-fabric
 * Times that messages would take alone in a fabric, from its closed forms.
 */
class PathModel
{
  public:
    /// @param fabric outlives this.
    explicit PathModel(const Fabric& fabric);

    /**
     * @param ackInterval frames for one acknowledgement.
     * @return FCT of a flow that is alone, processing of the NICs included; kNever where that is
     *         longer than there is simulated time.
     * @throws ScenarioError (empty path) if there is no way from source to destination.
     */
    Tick
    IdealFct(NodeIdx source, NodeIdx destination, uint64_t bytes, uint32_t ackInterval = 1) const;
    /// @return time from posting to the arrival of the last byte of a message that is alone;
    /// kNever likewise.
    Tick DeliveryTime(NodeIdx source, NodeIdx destination, uint64_t bytes) const;
    /// @return round trip of one full frame and its acknowledgement, from the start of the frame on
    /// its wire, likewise.
    Tick BaseRtt(NodeIdx source, NodeIdx destination) const;

  private:
    std::vector<IdealHop> Hops(NodeIdx source, NodeIdx destination, uint64_t bytes) const;

    const Fabric& m_fabric;
    PathFinder m_paths;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PATH_MODEL_H
