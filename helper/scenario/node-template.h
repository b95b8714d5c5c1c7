// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_NODE_TEMPLATE_H
#define AIFABRIC_NODE_TEMPLATE_H

#include "json-value.h"

#include <string>
#include <vector>

namespace ns3::aifabric
{

/// @return the names of all templates of nodes, "hgx_h100", sorted.
std::vector<std::string> NodeTemplateNames();

/**
 * @return what a template says of a node: an object like the block `node` of a scenario.
 * @throws ScenarioError (empty path) that names those that exist.
 */
JsonValue GetNodeTemplate(const std::string& name);

} // namespace ns3::aifabric

#endif // AIFABRIC_NODE_TEMPLATE_H
