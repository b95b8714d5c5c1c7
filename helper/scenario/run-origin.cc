// SPDX-License-Identifier: GPL-2.0-only
#include "run-origin.h"

#include "attribute-key.h"
#include "json-parser.h"

#include <algorithm>
#include <cctype>

namespace ns3::aifabric
{

namespace
{

/// Keys and, in digits, indices.
using Steps = std::vector<std::string>;

bool
IsIndex(const std::string& step)
{
    return !step.empty() &&
           std::all_of(step.begin(), step.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Takes "jobs[0].batch" or "jobs.0.batch" apart.
Steps
Split(const std::string& path)
{
    Steps steps;
    std::string step;
    for (char c : path + ".")
    {
        if (c != '.' && c != '[' && c != ']')
        {
            step += c;
        }
        else if (!step.empty())
        {
            steps.push_back(std::move(step));
            step.clear();
        }
    }
    return steps;
}

std::string
PathOf(const std::string& begin, Steps::const_iterator from, Steps::const_iterator to)
{
    std::string path = begin;
    for (; from != to; ++from)
    {
        path = IsIndex(*from) ? Join(path, std::stoul(*from)) : Join(path, *from);
    }
    return path;
}

/// @return the key of an object that is that attribute: itself, or with a unit; empty if none is.
std::string
KeyOf(const JsonValue& object, const std::string& attribute)
{
    std::string found;
    for (const std::string& key : object.Keys())
    {
        if (key == attribute)
        {
            return key;
        }
        if (key.rfind(attribute, 0) == 0 && IsUnitSuffix(key.substr(attribute.size())))
        {
            found = key;
        }
    }
    return found;
}

/// @return the same steps, as they stand in json as far as they do.
Steps
AsWritten(const JsonValue& json, const Steps& steps)
{
    Steps written;
    JsonValue at = json;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const std::string& step = steps[i];
        if (at.IsArray() && IsIndex(step) && step.size() < 10 && std::stoul(step) < at.Size())
        {
            at = at.At(std::stoul(step));
            written.push_back(step);
            continue;
        }
        const std::string key = KeyOf(at, step);
        // Jobs and traffic have the common transport where they have none of their own.
        const bool shared = step == "transport" || step == "collectives";
        if (key.empty() && i == 2 && shared && IsIndex(steps[1]) && json.Has(step))
        {
            return AsWritten(json, Steps(steps.begin() + 2, steps.end()));
        }
        // Parameters of a topology may stand beside its type.
        if (key.empty() && step == "parameters" && i + 1 < steps.size())
        {
            continue;
        }
        written.push_back(key.empty() ? step : key);
        at = at[written.back()];
    }
    return written;
}

} // namespace

ScenarioError
RunOrigin::Locate(const ScenarioError& error) const
{
    if (!error.GetFile().empty() && error.GetFile() != json.GetFile())
    {
        return error;
    }
    const Steps steps = AsWritten(json, Split(error.GetPath()));
    if (!seedPath.empty() && steps == Steps{"random_seed"})
    {
        return error.At(seedPath);
    }
    std::string best;
    std::size_t length = 0;
    for (const JsonValue& set : sets)
    {
        for (const std::string& key : set.Keys())
        {
            const Steps changed = Split(key);
            if (changed.size() >= length && changed.size() <= steps.size() &&
                std::equal(changed.begin(), changed.end(), steps.begin()))
            {
                best = Join(set.GetPath(), key);
                length = changed.size();
            }
        }
    }
    if (length > 0)
    {
        return error.At(PathOf(best, steps.begin() + length, steps.end()));
    }
    const ScenarioError located = error.At(PathOf("", steps.begin(), steps.end()));
    return variant.empty() ? located : located.Noting(" (variant '" + Printable(variant) + "')");
}

} // namespace ns3::aifabric
