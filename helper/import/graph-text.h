// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_GRAPH_TEXT_H
#define AIFABRIC_GRAPH_TEXT_H

#include "ns3/fabric-graph.h"

#include <string>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * The lists "nodes" and "links" of a topology of type `graph`, as JSON text: of networks of millions
 * of links no tree of values is made.
 */
class GraphText
{
  public:
    /// Adds a node. @param kind "host" or "switch".
    void AddNode(const std::string& name, const char* kind);

    /// Adds a link between nodes that are there already, or will be.
    void AddLink(const std::string& from, const std::string& to, const LinkSpec& spec);

    /// @return `"nodes": […], "links": […]`, indented as the contents of an object in an object.
    std::string Get() const;

  private:
    std::string m_nodes;
    std::string m_links;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_GRAPH_TEXT_H
