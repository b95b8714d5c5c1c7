// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BILL_OF_MATERIALS_H
#define AIFABRIC_BILL_OF_MATERIALS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

class FabricGraph;
class PriceList;

/// @ingroup ai-fabric-run
/// Parts of a network that are alike.
struct BillRow
{
    std::string kind;  ///< "switch", "cable", "nic"
    std::string layer; ///< of the topology: "leaf", "leaf_to_spine"
    std::string name;  ///< in the price list; empty without one
    uint32_t ports{0}; ///< of a switch: its radix where it has one, else those in use; of a NIC
    double bandwidthBps{0};
    double lengthM{0}; ///< of a cable
    uint64_t count{0};
    uint64_t transceivers{0}; ///< of all
    double price{0};          ///< of all
    double powerW{0};         ///< of all
};

/// @ingroup ai-fabric-run
/// What has to be bought for a network.
struct BillOfMaterials
{
    std::vector<BillRow> rows; ///< NICs, then switches and cables in the order of the graph
    bool isPriced{false};
    std::string currency;

    /// @return the sum of one number of all rows.
    template <class Number>
    Number Sum(Number BillRow::*number) const
    {
        Number sum{};
        for (const BillRow& row : rows)
        {
            sum += row.*number;
        }
        return sum;
    }
};

/**
 * @ingroup ai-fabric-run
 * @param prices of the parts; null: parts are only counted. The parts of a NIC or GPU that are not in
 * the graph, and the scale-up network, do not count.
 * @throws ScenarioError below "price_list" where it has nothing that serves as some part.
 */
BillOfMaterials MakeBill(const FabricGraph& graph, const PriceList* prices);

/**
 * @ingroup ai-fabric-run
 * Puts into metrics what the network is made of: `network_hosts`, `network_switches`,
 * `network_cables`, and where there are prices `network_transceivers`, `network_price`,
 * `network_price_per_host`, `network_power_w`, `network_power_per_host_w`.
 */
void AddNetworkMetrics(const FabricGraph& graph,
                       const PriceList* prices,
                       std::map<std::string, double>& metrics);

} // namespace ns3::aifabric

#endif // AIFABRIC_BILL_OF_MATERIALS_H
