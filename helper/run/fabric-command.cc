// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-command.h"

#include "scenario-run.h"
#include "scenario-runner.h"

#include "ns3/collective-algorithm.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-registry.h"
#include "ns3/load-balancer.h"
#include "ns3/scenario-error.h"
#include "ns3/scenario-importer.h"
#include "ns3/scenario-schema.h"
#include "ns3/topology-builder.h"
#include "ns3/whole-file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

namespace ns3::aifabric
{

namespace
{

using Arguments = std::vector<std::string>;

/// Arguments of one command, taken apart.
class Options
{
  public:
    /**
     * @param valued options that are followed by a value. @param flags options that are not.
     * @throws ScenarioError for any other option.
     */
    Options(const Arguments& arguments, const Arguments& valued, const Arguments& flags)
    {
        auto in = [](const Arguments& list, const std::string& name) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        for (std::size_t i = 0; i < arguments.size(); ++i)
        {
            std::string name = arguments[i];
            if (name.size() < 2 || name.compare(0, 2, "--") != 0)
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
                throw ScenarioError("", "unknown option '" + name + "'" + SuggestFrom(name, known));
            }
            if (value.empty() && in(valued, name))
            {
                throw ScenarioError("", name + ": found '', expected a value after it");
            }
            m_values[name].push_back(value);
        }
    }

    const Arguments& Plain() const
    {
        return m_plain;
    }

    bool Has(const std::string& name) const
    {
        return m_values.count(name) > 0;
    }

    /// @return the last value of an option; empty where it is absent.
    std::string Get(const std::string& name) const
    {
        return Has(name) ? m_values.at(name).back() : "";
    }

    Arguments GetAll(const std::string& name) const
    {
        return Has(name) ? m_values.at(name) : Arguments();
    }

    /// @return the only argument that is no option. @throws ScenarioError that says what it is.
    const std::string& Only(const std::string& what) const
    {
        if (m_plain.size() != 1 || m_plain.front().empty())
        {
            const std::string found =
                m_plain.size() == 1 ? "''" : std::to_string(m_plain.size()) + " arguments";
            throw ScenarioError("", "found " + found + ", expected one " + what);
        }
        return m_plain.front();
    }

  private:
    Arguments m_plain;
    std::map<std::string, Arguments> m_values;
};

ScenarioFile
ReadScenario(const Options& options)
{
    std::vector<ScenarioOverride> overrides;
    for (const std::string& text : options.GetAll("--set"))
    {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            throw ScenarioError("", "--set: found '" + text + "', expected KEY.PATH=VALUE");
        }
        overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    std::optional<uint64_t> seed;
    if (options.Has("--seed"))
    {
        const std::string text = options.Get("--seed");
        if (text.empty() || text.size() > 10 || text.find_first_not_of("0123456789") != text.npos)
        {
            throw ScenarioError(
                "", "--seed: found '" + text + "', expected a number from 1 to 2^32 - 1");
        }
        seed = std::stoull(text);
    }
    return ReadScenarioFile(JsonValue::ReadFile(options.Only("scenario file")), overrides, seed);
}

int
Run(const Arguments& arguments)
{
    const Options options(arguments, {"--output", "--set", "--seed"}, {"--quiet"});
    RunOptions run;
    run.output = options.Get("--output");
    run.quiet = options.Has("--quiet");
    return static_cast<int>(RunScenario(ReadScenario(options), run));
}

/// @return the network as a graph for Graphviz.
std::string
DotText(const FabricGraph& graph)
{
    std::ostringstream dot;
    dot << "graph fabric {\n  rankdir=BT;\n  node [shape=box];\n";
    for (const GraphNode& node : graph.Nodes())
    {
        dot << "  \"" << node.name << "\"" << (IsEndpoint(node.kind) ? " [shape=ellipse]" : "")
            << ";\n";
    }
    for (const GraphLink& link : graph.Links())
    {
        dot << "  \"" << graph.Nodes()[link.from].name << "\" -- \"" << graph.Nodes()[link.to].name
            << "\" [label=\"" << link.spec.bandwidth / 1e9 << "G\"];\n";
    }
    dot << "}\n";
    return dot.str();
}

int
Validate(const Arguments& arguments)
{
    const Options options(arguments, {"--set", "--plot", "--seed"}, {"--json"});
    const ScenarioFile file = ReadScenario(options);
    auto runs = nlohmann::ordered_json::array();
    for (const ScenarioConfig& config : file.runs)
    {
        // Whether it fits together shows when it is put together.
        const ScenarioRun run(config);
        const FabricGraph& graph = *config.graph;
        nlohmann::ordered_json entry;
        if (!config.variant.empty())
        {
            entry["variant"] = config.variant;
        }
        entry["seed"] = config.randomSeed;
        entry["hosts"] = graph.HostCount();
        entry["switches"] = graph.Nodes().size() - graph.EndpointCount();
        entry["links"] = graph.Links().size();
        entry["servers"] = graph.ServerCount();
        entry["jobs"] = config.jobs.size();
        entry["flows"] = run.CountFlows();
        entry["warnings"] = run.GetWarnings();
        runs.push_back(entry);
    }
    if (options.Has("--plot"))
    {
        WholeFile::Write(options.Get("--plot"), DotText(*file.runs.front().graph));
    }
    if (options.Has("--json"))
    {
        nlohmann::ordered_json all;
        all["name"] = file.name;
        all["valid"] = true;
        all["runs"] = runs;
        all["checks"] = file.checks.size();
        std::cout << all.dump(2) << "\n";
        return 0;
    }
    for (const auto& run : runs)
    {
        std::cout << file.name;
        for (const auto& [key, value] : run.items())
        {
            if (key != "warnings")
            {
                std::cout << (key == "hosts" ? ": " : " ") << key << " "
                          << (value.is_string() ? value.get<std::string>() : value.dump());
            }
        }
        std::cout << "\n";
        for (const auto& warning : run["warnings"])
        {
            std::cerr << "warning: " << warning.get<std::string>() << "\n";
        }
    }
    return 0;
}

int
Import(const Arguments& arguments)
{
    const Options options(arguments, {"--output"}, {});
    Arguments files = options.Plain();
    if (files.size() < 2)
    {
        throw ScenarioError("", "expected FORMAT FILE...");
    }
    auto importer = MakePlugin<ScenarioImporter>(files.front());
    files.erase(files.begin());
    const ImportResult result = importer->Import(ReadImportFiles(files));
    for (const std::string& notice : result.notices)
    {
        std::cerr << notice << "\n";
    }
    for (const std::string& warning : result.warnings)
    {
        std::cerr << "warning: " << warning << "\n";
    }
    if (options.Has("--output"))
    {
        WholeFile::Write(options.Get("--output"), result.scenario);
    }
    else
    {
        std::cout << result.scenario;
    }
    return 0;
}

/// @return names of the scenarios that come with the module.
Arguments
PublishedScenarios()
{
    Arguments names;
    std::error_code ignored;
    for (const auto& folder : std::filesystem::directory_iterator(AIFABRIC_SCENARIOS, ignored))
    {
        if (std::filesystem::exists(folder.path() / "scenario.json", ignored))
        {
            names.push_back(folder.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

int
List(const Arguments& arguments)
{
    const Options options(arguments, {}, {"--json"});
    const std::vector<std::pair<std::string, std::function<Arguments()>>> kinds{
        {"congestion-controls", [] { return PluginIds(CongestionControl::GetTypeId()); }},
        {"load-balancers", [] { return PluginIds(LoadBalancer::GetTypeId()); }},
        {"topologies", [] { return PluginIds(TopologyBuilder::GetTypeId()); }},
        {"collectives", [] { return PluginIds(CollectiveAlgorithm::GetTypeId()); }},
        {"scenarios", PublishedScenarios},
        {"formats", [] { return PluginIds(ScenarioImporter::GetTypeId()); }},
    };
    Arguments names;
    for (const auto& kind : kinds)
    {
        names.push_back(kind.first);
    }
    for (const std::string& wanted : options.Plain())
    {
        if (std::find(names.begin(), names.end(), wanted) == names.end())
        {
            throw ScenarioError("", "unknown kind '" + wanted + "'" + SuggestFrom(wanted, names));
        }
    }
    nlohmann::ordered_json all;
    for (const auto& [name, ids] : kinds)
    {
        const Arguments& wanted = options.Plain();
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
        {
            all[name] = ids();
        }
    }
    if (options.Has("--json"))
    {
        std::cout << all.dump(2) << "\n";
        return 0;
    }
    for (const auto& [name, ids] : all.items())
    {
        if (all.size() > 1)
        {
            std::cout << name << ":\n";
        }
        for (const auto& id : ids)
        {
            std::cout << (all.size() > 1 ? "  " : "") << id.get<std::string>() << "\n";
        }
    }
    return 0;
}

int
Schema(const Arguments& arguments)
{
    Options(arguments, {}, {});
    std::cout << ScenarioSchema() << "\n";
    return 0;
}

} // namespace

int
FabricCommand(const Arguments& arguments)
{
    const std::map<std::string, int (*)(const Arguments&)> commands{
        {"run", Run},
        {"validate", Validate},
        {"import", Import},
        {"list", List},
        {"schema", Schema},
    };
    Arguments names;
    for (const auto& command : commands)
    {
        names.push_back(command.first);
    }
    try
    {
        const std::string name = arguments.empty() ? "" : arguments.front();
        auto command = commands.find(name);
        if (command == commands.end())
        {
            throw ScenarioError("", "unknown command '" + name + "'" + SuggestFrom(name, names));
        }
        const int status = command->second(Arguments(arguments.begin() + 1, arguments.end()));
        if (!std::cout.flush())
        {
            std::cerr << "the output cannot be written\n";
            return static_cast<int>(ExitStatus::RunFailed);
        }
        return status;
    }
    catch (const ScenarioError& error)
    {
        std::cerr << error.what() << "\n";
        return static_cast<int>(ExitStatus::WrongInput);
    }
    catch (const std::bad_alloc&)
    {
        std::cerr << "out of memory\n";
        return static_cast<int>(ExitStatus::RunFailed);
    }
}

} // namespace ns3::aifabric
