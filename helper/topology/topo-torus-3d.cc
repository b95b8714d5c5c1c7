// SPDX-License-Identifier: GPL-2.0-only
#include "topology-builder.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-topology
 * Torus of three dimensions, or without WrapAround a mesh. Its routers are made of cubes of
 * CubeSize³ with electrical links inside; links between cubes, and those that close the rings, go
 * through optical circuit switches: one for each position on each pair of opposite faces of a cube,
 * 48 for cubes of 4³ (Jouppi et al., TPU v4, ISCA 2023). To a frame these are cables.
 *
 * Router (x·SizeY + y)·SizeZ + z has the links to its neighbours; host i is on router i /
 * HostsPerRouter. A ring of two has one link, a ring of one none.
 *
 * Twisted: sizes are k and 2k, and the links that close a ring of k lead to the router k further on in
 * each dimension of 2k (Cámara et al., IEEE TPDS 2010).
 *
 * Routes are shortest, and go in x first, then y, then z; both ways round where these are equally
 * long. Such routes have no cyclic buffer dependency in a mesh, or where rings are no longer than
 * three; the rings of a larger torus are cycles, for there are no virtual lanes.
 */
class Torus3D : public TopologyBuilder
{
  public:
    static TypeId GetTypeId();
    Torus3D();

    std::vector<bool> Halve(const FabricGraph& graph) const override;
    std::vector<std::pair<std::string, uint64_t>> CountOthers() const override;

  private:
    using Place = std::array<uint32_t, 3>;

    void DoBuild(FabricGraph& graph) const override;
    void CheckSizes() const;
    void ConnectNext(FabricGraph& graph, const Group& routers, Place place, uint32_t axis) const;

    /// @return the number of a router.
    std::size_t At(const Place& place) const
    {
        return (std::size_t{place[0]} * m_size[1] + place[1]) * m_size[2] + place[2];
    }

    Place m_size;
    uint32_t m_hostsPerRouter;
    uint32_t m_cubeSize;
    bool m_wrapAround;
    bool m_twisted;
    bool m_dimensionOrder;

    void SetSizeX(uint32_t size)
    {
        m_size[0] = size;
    }

    void SetSizeY(uint32_t size)
    {
        m_size[1] = size;
    }

    void SetSizeZ(uint32_t size)
    {
        m_size[2] = size;
    }

    uint32_t GetSizeX() const
    {
        return m_size[0];
    }

    uint32_t GetSizeY() const
    {
        return m_size[1];
    }

    uint32_t GetSizeZ() const
    {
        return m_size[2];
    }
};

NS_OBJECT_ENSURE_REGISTERED(Torus3D);

TypeId
Torus3D::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Torus3D")
            .SetParent<TopologyBuilder>()
            .SetGroupName("AiFabric")
            .AddConstructor<Torus3D>()
            .AddAttribute("SizeX",
                          "Routers in x",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Torus3D::SetSizeX, &Torus3D::GetSizeX),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("SizeY",
                          "Routers in y",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Torus3D::SetSizeY, &Torus3D::GetSizeY),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("SizeZ",
                          "Routers in z",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Torus3D::SetSizeZ, &Torus3D::GetSizeZ),
                          MakeUintegerChecker<uint32_t>(1, 65534))
            .AddAttribute("HostsPerRouter",
                          "Hosts on each router",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Torus3D::m_hostsPerRouter),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute(
                "CubeSize",
                "Routers on the edge of a cube with electrical links inside and optical "
                "ones outside; the sizes are multiples of it. 0: all links are electrical",
                UintegerValue(4),
                MakeUintegerAccessor(&Torus3D::m_cubeSize),
                MakeUintegerChecker<uint32_t>(0, 65534))
            .AddAttribute("WrapAround",
                          "Whether the last router of each row is joined to its first",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Torus3D::m_wrapAround),
                          MakeBooleanChecker())
            .AddAttribute("Twisted",
                          "Whether the links that close the short rings lead half round the long "
                          "ones, which are twice as long",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Torus3D::m_twisted),
                          MakeBooleanChecker())
            .AddAttribute("DimensionOrder",
                          "Whether routes go in x, then y, then z. If not, by all shortest ways",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Torus3D::m_dimensionOrder),
                          MakeBooleanChecker());
    return tid;
}

Torus3D::Torus3D()
{
    DefineLink("nic_to_router", kHostLink);
    DefineLink("electrical", {400e9, 15 * kNanosecond, 0, 0});
    DefineLink("optical", kFabricLink);
    DefineSwitch("router");
}

void
Torus3D::CheckSizes() const
{
    static const char* const kKeys[]{"size_x", "size_y", "size_z"};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        Require(m_cubeSize == 0 || m_size[axis] % m_cubeSize == 0,
                kKeys[axis],
                "found " + std::to_string(m_size[axis]) +
                    ", expected a multiple of the cube_size " + std::to_string(m_cubeSize) +
                    ", or a cube_size of 0");
    }
    const uint32_t longest = *std::max_element(m_size.begin(), m_size.end());
    const uint32_t half = longest / 2;
    const bool fits = std::count(m_size.begin(), m_size.end(), half) > 0 && half > 2 &&
                      std::all_of(m_size.begin(), m_size.end(), [&](uint32_t size) {
                          return size == 1 || size == half || size == longest;
                      });
    Require(!m_twisted || (m_wrapAround && longest % 2 == 0 && fits),
            "twisted",
            "found sizes " + std::to_string(m_size[0]) + "×" + std::to_string(m_size[1]) + "×" +
                std::to_string(m_size[2]) + (m_wrapAround ? "" : " without wrap_around") +
                ", expected k×2k, k×k×2k or k×2k×2k, in any order, with k above 2");
}

void
Torus3D::DoBuild(FabricGraph& graph) const
{
    CheckSizes();
    // Two sizes alone may be too large for 64 bits with a third.
    graph.CheckRoom(uint64_t{m_size[0]} * m_size[1], 0);
    const uint64_t count = uint64_t{m_size[0]} * m_size[1] * m_size[2];
    const Group hosts = AddHosts(graph, count * m_hostsPerRouter);
    const Group routers = AddSwitches(graph, "router", count);
    ConnectHosts(graph, hosts, routers, m_hostsPerRouter, "nic_to_router");
    for (uint32_t x = 0; x < m_size[0]; ++x)
    {
        for (uint32_t y = 0; y < m_size[1]; ++y)
        {
            for (uint32_t z = 0; z < m_size[2]; ++z)
            {
                for (uint32_t axis = 0; axis < 3; ++axis)
                {
                    ConnectNext(graph, routers, {x, y, z}, axis);
                }
            }
        }
    }
}

/// Joins a router to the next one in a dimension.
void
Torus3D::ConnectNext(FabricGraph& graph, const Group& routers, Place place, uint32_t axis) const
{
    const std::size_t here = At(place);
    const uint32_t next = place[axis] + 1;
    const bool closes = next == m_size[axis];
    if (closes && (!m_wrapAround || m_size[axis] <= 2))
    {
        return;
    }
    place[axis] = closes ? 0 : next;
    for (uint32_t other = 0; m_twisted && closes && other < 3; ++other)
    {
        if (m_size[other] == 2 * m_size[axis])
        {
            place[other] = (place[other] + m_size[axis]) % m_size[other];
        }
    }
    const std::string layer = m_cubeSize && next % m_cubeSize == 0 ? "optical" : "electrical";
    const GraphLinkIdx link =
        graph.AddLink(routers[here], routers[At(place)], GetLink(layer), layer);
    graph.SetRank(link, m_dimensionOrder ? axis : 0);
}

/// Across the longest dimension the fewest links are cut.
std::vector<bool>
Torus3D::Halve(const FabricGraph& graph) const
{
    const auto axis = std::max_element(m_size.begin(), m_size.end()) - m_size.begin();
    std::vector<bool> halves(graph.HostCount());
    for (NodeIdx host = 0; host < halves.size(); ++host)
    {
        const uint32_t router = host / m_hostsPerRouter;
        const Place place{
            router / m_size[2] / m_size[1], router / m_size[2] % m_size[1], router % m_size[2]};
        halves[host] = place[axis] < m_size[axis] / 2;
    }
    return halves;
}

std::vector<std::pair<std::string, uint64_t>>
Torus3D::CountOthers() const
{
    return {{"optical_circuit_switches", m_wrapAround ? 3ULL * m_cubeSize * m_cubeSize : 0}};
}

} // namespace ns3::aifabric
