// SPDX-License-Identifier: GPL-2.0-only
#include "graph-text.h"

#include "json-text.h"

namespace ns3::aifabric
{

void
GraphText::AddNode(const std::string& name, const char* kind)
{
    m_nodes += m_nodes.empty() ? "\n" : ",\n";
    m_nodes += "      {\"name\": \"" + name + "\", \"kind\": \"" + kind + "\"}";
}

void
GraphText::AddLink(const std::string& from, const std::string& to, const LinkSpec& spec)
{
    m_links += m_links.empty() ? "\n" : ",\n";
    m_links += "      {\"from\": \"" + from + "\", \"to\": \"" + to + "\", \"bandwidth_gbps\": ";
    AppendNumber(m_links, spec.bandwidth / 1e9);
    m_links += ", \"propagation_delay_ns\": ";
    AppendNumber(m_links, static_cast<double>(spec.delay) / kNanosecond);
    if (spec.lossProbability > 0)
    {
        m_links += ", \"loss_probability\": ";
        AppendNumber(m_links, spec.lossProbability);
    }
    m_links += "}";
}

std::string
GraphText::Get() const
{
    return "    \"nodes\": [" + m_nodes + "\n    ],\n    \"links\": [" + m_links + "\n    ]";
}

} // namespace ns3::aifabric
