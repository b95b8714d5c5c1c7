// SPDX-License-Identifier: GPL-2.0-only
#include "host-set.h"

#include "ns3/scenario-error.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

namespace ns3::aifabric
{

namespace
{

/// Takes white space, then what is in marks, from both ends.
std::string_view
Strip(std::string_view text, const char* marks)
{
    for (const char* set : {" \t\r\n", marks})
    {
        std::size_t first = std::min(text.find_first_not_of(set), text.size());
        text.remove_prefix(first);
        text.remove_suffix(text.size() - std::min(text.find_last_not_of(set) + 1, text.size()));
    }
    return text;
}

uint32_t
ParseHost(std::string_view word, uint32_t hostCount, const std::string& noun)
{
    uint64_t host = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), host);
    if (word.empty() || end != word.data() + word.size() || error == std::errc::invalid_argument)
    {
        throw ScenarioError("",
                            "found '" + std::string(word) + "', expected " + noun +
                                "s as \"all\", \"0-15\" or [3, 7]");
    }
    if (error != std::errc() || host >= hostCount)
    {
        throw ScenarioError("",
                            "there is no " + noun + " " + std::string(word) +
                                (hostCount == 0
                                     ? ", the topology has none"
                                     : ", expected 0 to " + std::to_string(hostCount - 1)));
    }
    return static_cast<uint32_t>(host);
}

} // namespace

std::vector<uint32_t>
ParseHostSet(const std::string& text, uint32_t hostCount, const std::string& noun)
{
    std::vector<uint32_t> hosts;
    std::string_view rest = Strip(text, "\"");
    if (rest == "all" && hostCount > 0)
    {
        hosts.resize(hostCount);
        std::iota(hosts.begin(), hosts.end(), 0);
        return hosts;
    }
    if (rest.size() >= 2 && rest.front() == '[' && rest.back() == ']')
    {
        rest = rest.substr(1, rest.size() - 2);
    }
    while (true)
    {
        std::size_t comma = rest.find(',');
        std::string_view item = Strip(rest.substr(0, comma), "\"");
        std::size_t dash = item.find('-');
        uint32_t first = ParseHost(Strip(item.substr(0, dash), ""), hostCount, noun);
        uint32_t last = dash == std::string_view::npos
                            ? first
                            : ParseHost(Strip(item.substr(dash + 1), ""), hostCount, noun);
        if (last < first)
        {
            throw ScenarioError("", "found '" + std::string(item) + "', expected a rising range");
        }
        if (hosts.size() + (last - first) >= hostCount)
        {
            throw ScenarioError("", "'" + text.substr(0, 80) + "' names a " + noun + " twice");
        }
        for (uint32_t host = first; host <= last; ++host)
        {
            hosts.push_back(host);
        }
        if (comma == std::string_view::npos)
        {
            break;
        }
        rest.remove_prefix(comma + 1);
    }
    std::sort(hosts.begin(), hosts.end());
    auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    if (twice != hosts.end())
    {
        throw ScenarioError("", noun + " " + std::to_string(*twice) + " is named twice");
    }
    return hosts;
}

} // namespace ns3::aifabric
