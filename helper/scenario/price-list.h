// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PRICE_LIST_H
#define AIFABRIC_PRICE_LIST_H

#include "ns3/data-rate.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @ingroup ai-fabric-scenario
/// Something that can be bought: what the entries of a price list have in common.
class PricedItem : public Object
{
  public:
    static TypeId GetTypeId();

    std::string name;
    DataRate bandwidth; ///< of a port, at most
    double price{0};
    double power{0}; ///< W
};

/// @ingroup ai-fabric-scenario
/// A NIC: an entry of `price_list.nics`.
class PricedNic : public PricedItem
{
  public:
    static TypeId GetTypeId();
};

/// @ingroup ai-fabric-scenario
/// A switch: an entry of `price_list.switches`.
class PricedSwitch : public PricedItem
{
  public:
    static TypeId GetTypeId();

    uint32_t portCount{0};
};

/// @ingroup ai-fabric-scenario
/// A cable with what is at its ends: an entry of `price_list.cables`.
class PricedCable : public PricedItem
{
  public:
    static TypeId GetTypeId();

    double longest{0};            ///< m; 0 is no limit
    uint32_t transceiverCount{0}; ///< at both ends together
};

/**
 * @ingroup ai-fabric-scenario
 * What the parts of a network cost, the block `price_list` of a scenario. Nothing is built in.
 *
 * Its setters throw ScenarioError below the key that they are about.
 */
class PriceList : public Object
{
  public:
    static TypeId GetTypeId();

    std::string currency;

    /// @name What serves, the cheapest where several do; null where nothing does.
    /// @{
    const PricedSwitch* FindSwitch(uint32_t ports, double bandwidthBps) const;
    const PricedCable* FindCable(double metres, double bandwidthBps) const;
    const PricedNic* FindNic(double bandwidthBps) const;
    /// @}

  private:
    template <class Item, std::vector<Ptr<Item>> PriceList::*List>
    void SetItems(std::string json);
    template <class Item, std::vector<Ptr<Item>> PriceList::*List>
    std::string GetItems() const;

    std::vector<Ptr<PricedSwitch>> m_switches;
    std::vector<Ptr<PricedCable>> m_cables;
    std::vector<Ptr<PricedNic>> m_nics;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PRICE_LIST_H
