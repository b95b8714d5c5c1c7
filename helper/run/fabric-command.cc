// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-command.h"

#include "command-options.h"
#include "scenario-run.h"
#include "scenario-runner.h"
#include "topology-report.h"

#include "ns3/buffer-dependency.h"
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
#include <sstream>

namespace ns3::aifabric
{

namespace
{

using Arguments = std::vector<std::string>;
using Json = nlohmann::ordered_json;

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

/// @return the path of a scenario that is given by its path, or by the name of one of ours.
std::string
FindScenario(const std::string& given)
{
    const Arguments names = PublishedScenarios();
    std::error_code ignored;
    if (std::filesystem::exists(given, ignored) ||
        std::find(names.begin(), names.end(), given) == names.end())
    {
        return given;
    }
    return AIFABRIC_SCENARIOS "/" + given + "/scenario.json";
}

/// @return the same with what each of them is and where it is from.
Json
DescribedScenarios()
{
    Json all = Json::array();
    for (const std::string& name : PublishedScenarios())
    {
        Json entry{{"name", name}};
        try
        {
            const JsonValue scenario = JsonValue::ReadFile(FindScenario(name));
            for (const char* key : {"description", "source"})
            {
                if (scenario.Has(key))
                {
                    entry[key] = scenario[key].AsString();
                }
            }
        }
        catch (const ScenarioError& error)
        {
            entry["description"] = error.what();
        }
        all.push_back(entry);
    }
    return all;
}

ScenarioFile
ReadScenario(const CommandOptions& options)
{
    std::vector<ScenarioOverride> overrides;
    for (const std::string& text : options.GetAll("--set"))
    {
        if (text.rfind('@', 0) == 0)
        {
            const JsonValue file = JsonValue::ReadFile(text.substr(1));
            for (const std::string& key : file.ExpectObject().Keys())
            {
                overrides.emplace_back(key, file[key].ToText());
            }
            continue;
        }
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            throw ScenarioError("",
                                "--set: found '" + text + "', expected KEY.PATH=VALUE or @FILE");
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
    const std::string path = FindScenario(options.Only("scenario file"));
    return ReadScenarioFile(JsonValue::ReadFile(path), overrides, seed);
}

int
Run(const Arguments& arguments)
{
    const CommandOptions options(arguments, {"--output", "--set", "--seed"}, {"--quiet"});
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
    const CommandOptions options(arguments, {"--set", "--plot", "--seed"}, {"--json"});
    const ScenarioFile file = ReadScenario(options);
    auto runs = Json::array();
    std::vector<std::string> tables;
    std::vector<std::unique_ptr<TopologyReport>> reports;
    std::vector<std::pair<std::string, const TopologyReport*>> variants;
    for (const ScenarioConfig& config : file.runs)
    {
        // Whether it fits together shows when it is put together.
        const ScenarioRun run(config);
        const FabricGraph& graph = *config.graph;
        Json entry;
        if (!config.variant.empty())
        {
            entry["variant"] = config.variant;
        }
        entry["seed"] = config.randomSeed;
        entry["jobs"] = config.jobs.size();
        entry["flows"] = run.CountFlows();
        entry["buffer_dependency"] = run.GetBufferDependency().ToText(graph);
        entry["warnings"] = run.GetWarnings();
        reports.push_back(std::make_unique<TopologyReport>(config, run.GetFabric()));
        entry.update(Json::parse(reports.back()->ToJson()));
        tables.push_back(reports.back()->ToText());
        if (variants.empty() || variants.back().first != config.variant)
        {
            variants.emplace_back(config.variant, reports.back().get());
        }
        runs.push_back(entry);
    }
    if (options.Has("--plot"))
    {
        WholeFile::Write(options.Get("--plot"), DotText(*file.runs.front().graph));
    }
    if (options.Has("--json"))
    {
        Json all;
        all["name"] = file.name;
        all["valid"] = true;
        for (const char* key : {"hosts", "gpus", "switches", "cables", "bisection_gbps"})
        {
            all[key] = runs.front()[key];
        }
        all["runs"] = runs;
        all["checks"] = file.checks.size();
        std::cout << all.dump(2) << "\n";
        return 0;
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const auto& run = runs[i];
        std::cout << file.name << ":";
        for (const char* key : {"variant", "seed", "jobs", "flows"})
        {
            if (run.contains(key))
            {
                std::cout << " " << key << " "
                          << (run[key].is_string() ? run[key].get<std::string>() : run[key].dump());
            }
        }
        std::cout << "\n"
                  << tables[i] << "  " << run["buffer_dependency"].get<std::string>() << "\n";
        for (const auto& warning : run["warnings"])
        {
            std::cerr << "warning: " << warning.get<std::string>() << "\n";
        }
    }
    if (variants.size() > 1)
    {
        std::cout << TopologyReport::Compare(variants);
    }
    return 0;
}

int
Import(const Arguments& arguments)
{
    const CommandOptions options(arguments, {"--output"}, {});
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

int
List(const Arguments& arguments)
{
    const CommandOptions options(arguments, {}, {"--json"});
    const std::vector<std::pair<std::string, std::function<Json()>>> kinds{
        {"congestion-controls", [] { return PluginIds(CongestionControl::GetTypeId()); }},
        {"load-balancers", [] { return PluginIds(LoadBalancer::GetTypeId()); }},
        {"topologies", [] { return PluginIds(TopologyBuilder::GetTypeId()); }},
        {"collectives", [] { return PluginIds(CollectiveAlgorithm::GetTypeId()); }},
        {"scenarios", DescribedScenarios},
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
    Json all;
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
        const char* indent = all.size() > 1 ? "  " : "";
        for (const auto& id : ids)
        {
            std::cout << indent << (id.is_object() ? id["name"] : id).get<std::string>() << "\n";
            for (const char* key : {"description", "source"})
            {
                // Among other lists names are enough.
                if (all.size() == 1 && id.is_object() && id.contains(key))
                {
                    std::cout << "    " << id[key].get<std::string>() << "\n";
                }
            }
        }
    }
    return 0;
}

int
Schema(const Arguments& arguments)
{
    CommandOptions(arguments, {}, {}).None();
    std::cout << ScenarioSchema() << "\n";
    return 0;
}

struct Command
{
    const char* name;
    const char* arguments;
    const char* summary;
    const char* options; ///< a line each
    int (*run)(const Arguments&);
};

constexpr const char* kScenarioHelp =
    "  SCENARIO.json         a file, or a name of `aifabric list scenarios`\n"
    "  --set KEY.PATH=VALUE  another value for one key, JSON or else a string; an element of an\n"
    "                        array by its index: jobs.0.batch.micro_batch_size=2\n"
    "  --set @FILE           all that a file says, an object of KEY.PATH: VALUE\n"
    "  --seed N              in place of random_seed and seeds, from 1 to 2^32 - 1\n";

const Command kCommands[]{
    {"run",
     "SCENARIO.json [--output DIR] [--set KEY.PATH=VALUE]... [--seed N] [--quiet]",
     "Runs a scenario, prints a table of its results and whether its checks hold.",
     "  --output DIR          writes the files of results there; beats outputs.directory\n"
     "  --quiet               prints neither progress nor table\n",
     Run},
    {"validate",
     "SCENARIO.json [--json] [--plot FILE] [--set KEY.PATH=VALUE]... [--seed N]",
     "Reads a scenario and puts it together, without running it.",
     "  --json                prints what it has as JSON\n"
     "  --plot FILE           writes its network as a graph for Graphviz\n",
     Validate},
    {"import",
     "FORMAT FILE... [--output SCENARIO.json]",
     "Makes a scenario of the files of another simulator, given in any order.",
     "  --output FILE         writes the scenario there, not to the standard output\n",
     Import},
    {"list",
     "[congestion-controls|load-balancers|topologies|collectives|scenarios|formats]... [--json]",
     "Lists what this build has.",
     "  --json                prints it as JSON\n",
     List},
    {"schema", "", "Prints the JSON Schema of scenario files.", "", Schema},
};

/// @return the command of that name, or none.
const Command*
FindCommand(const std::string& name)
{
    for (const Command& command : kCommands)
    {
        if (command.name == name)
        {
            return &command;
        }
    }
    return nullptr;
}

std::string
Usage(const Command& command)
{
    return std::string("aifabric ") + command.name + (*command.arguments ? " " : "") +
           command.arguments + "\n";
}

void
PrintHelp(const Command& command)
{
    const bool reads = command.run == Run || command.run == Validate;
    std::cout << "Usage: " << Usage(command) << "\n"
              << command.summary << "\n\n"
              << command.options << (reads ? kScenarioHelp : "")
              << "  --help                prints this\n";
}

void
PrintHelp()
{
    std::cout << "Usage:\n";
    for (const Command& command : kCommands)
    {
        std::cout << "  " << Usage(command) << "      " << command.summary << "\n";
    }
    std::cout
        << "\n`aifabric COMMAND --help` says what the options of a command do. Exit status: 0 "
           "all well and every\ncheck holds; 1 the run failed; 2 the input is wrong; 3 it "
           "ran, but a check fell short.\n";
}

bool
AsksForHelp(const std::string& argument)
{
    return argument == "--help" || argument == "-h";
}

/// @return exit status of the command in arguments. @throws ScenarioError for wrong input.
int
Dispatch(const Arguments& arguments)
{
    Arguments names;
    for (const Command& command : kCommands)
    {
        names.emplace_back(command.name);
    }
    if (arguments.empty())
    {
        throw ScenarioError("", "found no command" + SuggestFrom("", names));
    }
    Arguments rest(arguments.begin() + 1, arguments.end());
    std::string name = arguments.front();
    bool helps = std::any_of(rest.begin(), rest.end(), AsksForHelp);
    if (AsksForHelp(name) || name == "help")
    {
        if (rest.empty() || helps)
        {
            PrintHelp();
            return 0;
        }
        name = rest.front();
        helps = true;
    }
    const Command* command = FindCommand(name);
    if (!command)
    {
        throw ScenarioError("", "unknown command '" + name + "'" + SuggestFrom(name, names));
    }
    if (helps)
    {
        PrintHelp(*command);
        return 0;
    }
    return command->run(rest);
}

} // namespace

int
FabricCommand(const Arguments& arguments)
{
    try
    {
        const int status = Dispatch(arguments);
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
