// SPDX-License-Identifier: GPL-2.0-only
#include "price-list.h"

#include "attribute-reader.h"
#include "json-value.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/text-checker.h"
#include "ns3/uinteger.h"

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PricedItem);
NS_OBJECT_ENSURE_REGISTERED(PricedNic);
NS_OBJECT_ENSURE_REGISTERED(PricedSwitch);
NS_OBJECT_ENSURE_REGISTERED(PricedCable);
NS_OBJECT_ENSURE_REGISTERED(PriceList);

namespace
{

/// @return the cheapest of those that serve, the first where several cost the same.
template <class Item, class Serves>
const Item*
Cheapest(const std::vector<Ptr<Item>>& items, double bandwidthBps, Serves&& serves)
{
    const Item* best = nullptr;
    for (const Ptr<Item>& item : items)
    {
        if (static_cast<double>(item->bandwidth.GetBitRate()) >= bandwidthBps && serves(*item) &&
            (!best || item->price < best->price))
        {
            best = PeekPointer(item);
        }
    }
    return best;
}

} // namespace

TypeId
PricedItem::GetTypeId()
{
    using S = PricedItem;
    static TypeId tid = TypeId("ns3::aifabric::PricedItem")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddAttribute("Name",
                                          "What it is called in bills",
                                          StringValue(""),
                                          MakeStringAccessor(&S::name),
                                          MakeStringChecker())
                            .AddAttribute("Bandwidth",
                                          "Of a port, at most",
                                          DataRateValue(DataRate("400Gbps")),
                                          MakeDataRateAccessor(&S::bandwidth),
                                          MakeDataRateChecker())
                            .AddAttribute("Price",
                                          "Of one, in the list's currency",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&S::price),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("PowerW",
                                          "Of one, with what is plugged into it not counted",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&S::power),
                                          MakeDoubleChecker<double>(0));
    return tid;
}

TypeId
PricedNic::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PricedNic")
                            .SetParent<PricedItem>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PricedNic>();
    return tid;
}

TypeId
PricedSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PricedSwitch")
                            .SetParent<PricedItem>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PricedSwitch>()
                            .AddAttribute("PortCount",
                                          "Ports that it has",
                                          UintegerValue(64),
                                          MakeUintegerAccessor(&PricedSwitch::portCount),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

TypeId
PricedCable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PricedCable")
                            .SetParent<PricedItem>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PricedCable>()
                            .AddAttribute("LongestM",
                                          "How far it reaches; 0 is any distance",
                                          DoubleValue(0),
                                          MakeDoubleAccessor(&PricedCable::longest),
                                          MakeDoubleChecker<double>(0))
                            .AddAttribute("TransceiverCount",
                                          "Optical modules at its ends, their price and power "
                                          "included: 2, or 0 of a copper cable",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&PricedCable::transceiverCount),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

TypeId
PriceList::GetTypeId()
{
    using S = PriceList;
    static TypeId tid =
        TypeId("ns3::aifabric::PriceList")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Currency",
                          "What prices are in",
                          StringValue("USD"),
                          MakeStringAccessor(&S::currency),
                          MakeStringChecker())
            .AddAttribute("Switches",
                          "List of switches that can be had",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetItems<PricedSwitch, &S::m_switches>,
                                             &S::GetItems<PricedSwitch, &S::m_switches>),
                          MakeTextChecker("array"))
            .AddAttribute("Cables",
                          "List of cables that can be had",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetItems<PricedCable, &S::m_cables>,
                                             &S::GetItems<PricedCable, &S::m_cables>),
                          MakeTextChecker("array"))
            .AddAttribute("Nics",
                          "List of NICs that can be had",
                          StringValue("[]"),
                          MakeStringAccessor(&S::SetItems<PricedNic, &S::m_nics>,
                                             &S::GetItems<PricedNic, &S::m_nics>),
                          MakeTextChecker("array"));
    return tid;
}

const PricedSwitch*
PriceList::FindSwitch(uint32_t ports, double bandwidthBps) const
{
    return Cheapest(
        m_switches, bandwidthBps, [&](const PricedSwitch& s) { return s.portCount >= ports; });
}

const PricedCable*
PriceList::FindCable(double metres, double bandwidthBps) const
{
    return Cheapest(m_cables, bandwidthBps, [&](const PricedCable& c) {
        return c.longest == 0 || c.longest >= metres;
    });
}

const PricedNic*
PriceList::FindNic(double bandwidthBps) const
{
    return Cheapest(m_nics, bandwidthBps, [](const PricedNic&) { return true; });
}

template <class Item, std::vector<Ptr<Item>> PriceList::*List>
void
PriceList::SetItems(std::string json)
{
    const JsonValue list = JsonValue::Parse(json);
    std::vector<Ptr<Item>> items;
    for (std::size_t i = 0; i < list.ExpectArray().Size(); ++i)
    {
        items.push_back(
            DynamicCast<Item>(MakeConfigured(Item::GetTypeId(), list.At(i).ExpectObject())));
    }
    this->*List = items;
}

template <class Item, std::vector<Ptr<Item>> PriceList::*List>
std::string
PriceList::GetItems() const
{
    JsonValue json = JsonValue::Array();
    for (const Ptr<Item>& item : this->*List)
    {
        json.Append(ResolveAttributes(*item));
    }
    return json.ToText();
}

} // namespace ns3::aifabric
