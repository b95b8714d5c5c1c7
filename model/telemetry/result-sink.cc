// SPDX-License-Identifier: GPL-2.0-only
#include "result-sink.h"

#include "whole-file.h"

#include "ns3/fabric-registry.h"

#include <algorithm>
#include <filesystem>

namespace ns3::aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ResultSink);

TypeId
ResultSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ResultSink").SetParent<Object>().SetGroupName("AiFabric");
    return tid;
}

void
ResultSink::Write(const RunResult& result, const std::string& folder) const
{
    WholeFile file((std::filesystem::path(folder) / FileName()).string());
    DoWrite(result, file);
    file.Commit();
}

std::vector<std::string>
WriteReports(const RunResult& result,
             const std::string& folder,
             const std::vector<std::string>& reports)
{
    std::vector<std::string> files;
    for (const std::string& id : PluginIds(ResultSink::GetTypeId()))
    {
        auto sink = MakePlugin<ResultSink>(id);
        bool wanted = std::find(reports.begin(), reports.end(), id) != reports.end();
        if (wanted || sink->IsStandard())
        {
            sink->Write(result, folder);
            files.push_back(sink->FileName());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace ns3::aifabric
