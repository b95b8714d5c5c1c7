// SPDX-License-Identifier: GPL-2.0-only
#include "command-options.h"

#include "ns3/fabric-registry.h"
#include "ns3/scenario-error.h"

#include <algorithm>

namespace ns3::aifabric
{

CommandOptions::CommandOptions(const Arguments& arguments,
                               const Arguments& valued,
                               const Arguments& flags)
{
    auto in = [](const Arguments& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        std::string name = arguments[i];
        if (name.size() < 2 || name.front() != '-')
        {
            m_plain.push_back(name);
            continue;
        }
        const std::size_t equals = name.find('=');
        std::string value;
        if (equals != std::string::npos && in(valued, name.substr(0, equals)))
        {
            value = name.substr(equals + 1);
            name.erase(equals);
        }
        else if (in(valued, name))
        {
            if (++i == arguments.size())
            {
                throw ScenarioError("", name + ": expected a value after it");
            }
            value = arguments[i];
        }
        else if (!in(flags, name))
        {
            Arguments known = valued;
            known.insert(known.end(), flags.begin(), flags.end());
            known.emplace_back("--help");
            throw ScenarioError("", "unknown option '" + name + "'" + SuggestFrom(name, known));
        }
        if (value.empty() && in(valued, name))
        {
            throw ScenarioError("", name + ": found '', expected a value after it");
        }
        m_values[name].push_back(value);
    }
}

const CommandOptions::Arguments&
CommandOptions::Plain() const
{
    return m_plain;
}

bool
CommandOptions::Has(const std::string& name) const
{
    return m_values.count(name) > 0;
}

std::string
CommandOptions::Get(const std::string& name) const
{
    return Has(name) ? m_values.at(name).back() : "";
}

CommandOptions::Arguments
CommandOptions::GetAll(const std::string& name) const
{
    return Has(name) ? m_values.at(name) : Arguments();
}

const std::string&
CommandOptions::Only(const std::string& what) const
{
    if (m_plain.size() != 1 || m_plain.front().empty())
    {
        const std::string found =
            m_plain.size() == 1 ? "''" : std::to_string(m_plain.size()) + " arguments";
        throw ScenarioError("", "found " + found + ", expected one " + what);
    }
    return m_plain.front();
}

void
CommandOptions::None() const
{
    if (!m_plain.empty())
    {
        throw ScenarioError("", "found '" + m_plain.front() + "', expected no argument");
    }
}

} // namespace ns3::aifabric
