// SPDX-License-Identifier: GPL-2.0-only
#include "layer-settings.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-compat.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LinkLayerSettings);
NS_OBJECT_ENSURE_REGISTERED(SwitchLayerSettings);

namespace
{

/// Once round the earth.
constexpr double kMaxLengthKm = 40000;

} // namespace

TypeId
LinkLayerSettings::GetTypeId()
{
    using S = LinkLayerSettings;
    static TypeId tid =
        TypeId("ns3::aifabric::LinkLayerSettings")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<S>()
            .AddAttribute("Bandwidth",
                          "Rate of the links, per direction",
                          DataRateValue(DataRate(400000000000ULL)),
                          MakeDataRateAccessor(&S::m_bandwidth),
                          MakeDataRateChecker())
            .AddAttribute("PropagationDelay",
                          "From the start of a frame at one end to its start at the other",
                          TimeValue(NanoSeconds(0)),
                          MakeTimeAccessor(&S::m_delay),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("LengthKm",
                          "Length of the links, instead of their delay: 5 us per km",
                          TypeId::ATTR_SET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::SetLength, &S::GetLength),
                          MakeDoubleChecker<double>(0, kMaxLengthKm))
            .AddAttribute("BitErrorRate",
                          "Probability that a bit arrives wrong; the frame is lost then",
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::m_bitErrorRate),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LossProbability",
                          "Probability that a frame is lost",
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::m_lossProbability),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
LinkLayerSettings::SetSpec(const LinkSpec& spec)
{
    m_bandwidth = DataRate(static_cast<uint64_t>(std::llround(spec.bandwidth)));
    m_delay = FromTick(spec.delay);
    m_bitErrorRate = spec.bitErrorRate;
    m_lossProbability = spec.lossProbability;
}

LinkSpec
LinkLayerSettings::GetSpec() const
{
    return {static_cast<double>(m_bandwidth.GetBitRate()),
            ToTick(m_delay),
            m_lossProbability,
            m_bitErrorRate};
}

void
LinkLayerSettings::SetLength(double km)
{
    m_delay = FromTick(std::llround(km * kDelayPerKm));
}

double
LinkLayerSettings::GetLength() const
{
    return static_cast<double>(ToTick(m_delay)) / kDelayPerKm;
}

TypeId
SwitchLayerSettings::GetTypeId()
{
    using S = SwitchLayerSettings;
    static TypeId tid = TypeId("ns3::aifabric::SwitchLayerSettings")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<S>()
                            .AddAttribute("Radix",
                                          "Most ports that a switch may have; 0 is no limit",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&S::m_radix),
                                          MakeUintegerChecker<uint32_t>(0, 65534))
                            .AddAttribute("BufferBytes",
                                          "Packet memory that the ports of a switch share",
                                          UintegerValue(64 << 20),
                                          MakeUintegerAccessor(&S::m_bufferBytes),
                                          MakeUintegerChecker<uint64_t>(1, 1ULL << 40))
                            .AddAttribute("Preset",
                                          "Switching chip that has the buffer, instead of its size",
                                          TypeId::ATTR_SET,
                                          EnumValue(kTomahawk3),
                                          compat::EnumAccessor<Preset>(&S::SetPreset, 0),
                                          MakeEnumChecker(kTomahawk3,
                                                          "tomahawk3",
                                                          kTridentPlus,
                                                          "trident_plus",
                                                          kTrident2,
                                                          "trident2",
                                                          kTomahawk,
                                                          "tomahawk",
                                                          kTomahawk2,
                                                          "tomahawk2",
                                                          kTomahawk4,
                                                          "tomahawk4",
                                                          kTomahawk5,
                                                          "tomahawk5",
                                                          kSpectrum2,
                                                          "spectrum2",
                                                          kSpectrum3,
                                                          "spectrum3",
                                                          kSpectrum4,
                                                          "spectrum4"))
                            .AddAttribute("ForwardingLatency",
                                          "From the arrival of a frame to its output queue",
                                          TimeValue(NanoSeconds(500)),
                                          MakeTimeAccessor(&S::m_forwardingLatency),
                                          MakeTimeChecker(Time(0), Seconds(1)));
    return tid;
}

void
SwitchLayerSettings::SetSpec(const SwitchSpec& spec)
{
    m_radix = spec.radix;
    m_bufferBytes = spec.bufferBytes;
    m_forwardingLatency = FromTick(spec.forwardingLatency);
}

void
SwitchLayerSettings::SetPreset(Preset preset)
{
    m_bufferBytes = preset * 1000000ULL;
}

SwitchSpec
SwitchLayerSettings::GetSpec() const
{
    return {m_radix, m_bufferBytes, ToTick(m_forwardingLatency)};
}

} // namespace ns3::aifabric
