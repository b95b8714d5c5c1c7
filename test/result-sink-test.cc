// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/csv-writer.h"
#include "ns3/fabric-registry.h"
#include "ns3/result-sink.h"
#include "ns3/run-result.h"
#include "ns3/scenario-error.h"
#include "ns3/whole-file.h"

#include <gtest/gtest.h>

#include <csignal>
#include <limits>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

RunResult
TwoFlows()
{
    RunResult result;
    FlowResult done;
    done.job = "llm";
    done.tag = "a \"quoted\", tag";
    done.source = "host0";
    done.destination = "host1";
    done.sourcePort = 10000;
    done.destinationPort = 4791;
    done.priority = 3;
    done.bytes = 1000;
    done.start = 2 * kSecond + 1;
    done.fct = 4177300;
    done.idealFct = 4177299;
    done.retransmittedBytes = 5;
    done.markedFrames = 6;
    done.cnps = 7;
    done.status = "done";
    done.deliveredBytes = 1000;
    done.sourceNumber = 0;
    done.destinationNumber = 258;
    FlowResult open;
    open.source = "host1";
    open.destination = "host0";
    open.bytes = std::numeric_limits<uint64_t>::max();
    open.idealFct = 999;
    result.flows = {done, open};
    return result;
}

std::string
Written(const std::string& id, const RunResult& result)
{
    TemporaryFolder folder;
    auto sink = MakePlugin<ResultSink>(id);
    sink->Write(result, folder.Path());
    return folder.Read(sink->FileName());
}

} // namespace

TEST(ResultSink, FlowsHaveTheColumnsThatUsersRely)
{
    EXPECT_EQ(Written("flow_completion_time", TwoFlows()),
              "flow,job,tag,src,dst,src_port,dst_port,priority,size_bytes,start_ns,fct_ns,"
              "ideal_fct_ns,slowdown,retransmitted_bytes,ecn_marked_frames,cnps,status,"
              "delivered_bytes\n"
              "0,llm,\"a \"\"quoted\"\", tag\",host0,host1,10000,4791,3,1000,2000000000.001,"
              "4177.300,4177.299,1.000000,5,6,7,done,1000\n"
              "1,,,host1,host0,0,0,0,18446744073709551615,0.000,,0.999,,0,0,0,unfinished,0\n");
}

TEST(ResultSink, LinksHaveARowPerDirection)
{
    RunResult result;
    result.engine.simulatedS = 1e-3;
    LinkResult link;
    link.link = "leaf0.port3";
    link.from = "leaf0";
    link.to = "host3";
    link.bandwidthBps = 12.5e9;
    link.frames = 11;
    link.bytes = 12000;
    link.payloadBytes = 11000;
    link.busy = kMillisecond / 3;
    link.droppedFrames = 1;
    link.markedFrames = 2;
    link.pauseTime = 1234567;
    link.maxQueueBytes = 4096;
    result.links = {link};
    const std::string header = "link,from,to,bandwidth_gbps,frames,bytes,payload_bytes,"
                               "utilization_ratio,dropped_frames,ecn_marked_frames,pause_time_ns,"
                               "max_queue_bytes\n";
    EXPECT_EQ(Written("link_utilization", result),
              header + "leaf0.port3,leaf0,host3,12.5,11,12000,11000,0.333333,1,2,1234.567,4096\n");
    result.engine.simulatedS = 0;
    result.links[0].busy = 0;
    EXPECT_NE(Written("link_utilization", result).find(",0.000000,"), std::string::npos);
    EXPECT_EQ(Written("link_utilization", RunResult()), header);
}

// Columns and addresses: HPCC's simulator, third.cc, qp_finish; a line is written at completion.
TEST(ResultSink, FctTextIsThatOfHpcc)
{
    RunResult result = TwoFlows();
    FlowResult earlier = result.flows[0];
    earlier.start -= kMicrosecond;
    earlier.fct = 3000499;
    earlier.idealFct = 3000400;
    result.flows.push_back(earlier);
    EXPECT_EQ(Written("fct_text", result),
              "0b000001 0b010201 10000 4791 1000 1999999000 3000 3000\n"
              "0b000001 0b010201 10000 4791 1000 2000000000 4177 4177\n");
}

TEST(ResultSink, WritesWhatIsStandardOrAskedFor)
{
    using Files = std::vector<std::string>;
    TemporaryFolder folder;
    EXPECT_EQ(WriteReports(TwoFlows(), folder.Path()), (Files{"flows.csv", "links.csv"}));
    EXPECT_EQ(folder.Names(), (Files{"flows.csv", "links.csv"}));
    EXPECT_EQ(WriteReports(TwoFlows(), folder.Path(), {"iteration_time", "fct_text"}),
              (Files{"fct.txt", "flows.csv", "links.csv"}));
    EXPECT_EQ(folder.Names(), (Files{"fct.txt", "flows.csv", "links.csv"}));
}

TEST(CsvWriter, QuotesWhatWouldBreakARow)
{
    TemporaryFolder folder;
    WholeFile file(folder.Path() + "/a.csv");
    CsvWriter csv(file);
    csv.Text("").Text("plain text").Text("a,b").Text("\"").Text("two\nlines").Text("µ").EndRow();
    csv.Number(0.1).Number(1e300).Number(std::numeric_limits<double>::quiet_NaN());
    csv.Fixed(std::numeric_limits<double>::infinity(), 2).Fixed(2.5, 3).Empty().EndRow();
    csv.Nanoseconds(kNever).Nanoseconds(-1).Nanoseconds(-1001).Nanoseconds(kNever - 1).EndRow();
    file.Commit();
    EXPECT_EQ(folder.Read("a.csv"),
              ",plain text,\"a,b\",\"\"\"\",\"two\nlines\",µ\n"
              "0.1,1e+300,,,2.500,\n"
              ",-0.001,-1.001,9223372036854775.806\n");
}

TEST(WholeFile, IsThereWholeOrNotAtAll)
{
    TemporaryFolder folder;
    const std::string path = folder.Path() + "/a.csv";
    WholeFile::Write(path, "old");
    {
        WholeFile file(path);
        file.Append(std::string(1 << 20, 'x'));
        EXPECT_EQ(folder.Read("a.csv"), "old");
        EXPECT_EQ(folder.Names().size(), 2U) << "it is written aside";
    }
    EXPECT_EQ(folder.Names(), std::vector<std::string>{"a.csv"})
        << "what was not committed is gone";
    EXPECT_EQ(folder.Read("a.csv"), "old");
    {
        WholeFile file(path);
        file.Append(std::string(1 << 20, 'x'));
        file.Append("end");
        file.Commit();
    }
    EXPECT_EQ(folder.Names(), std::vector<std::string>{"a.csv"});
    EXPECT_EQ(folder.Read("a.csv"), std::string(1 << 20, 'x') + "end");
}

TEST(WholeFile, DevicesAreWrittenToAndStay)
{
    WholeFile::Write("/dev/null", "text");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_THROW(WholeFile::Write("/dev/full", "text"), ScenarioError);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WholeFile, SignalsWaitUntilNothingIsAside)
{
    TemporaryFolder folder;
    static bool seen;
    seen = false;
    auto before = std::signal(SIGTERM, [](int) { seen = true; });
    {
        WholeFile outer(folder.Path() + "/outer");
        {
            WholeFile inner(folder.Path() + "/inner");
            std::raise(SIGTERM);
            inner.Commit();
        }
        EXPECT_FALSE(seen);
    }
    EXPECT_TRUE(seen);
    std::signal(SIGTERM, before);
    EXPECT_EQ(folder.Names(), std::vector<std::string>{"inner"});
}

TEST(WholeFile, SaysWhyItCannotBeWritten)
{
    TemporaryFolder folder;
    const std::string missing = folder.Path() + "/missing/a.csv";
    EXPECT_EQ(ErrorOf([&] { WholeFile file(missing); }),
              missing + ": cannot be written: No such file or directory");
    // The place is taken by a folder: found out when the file should go there.
    const std::string taken = folder.Path() + "/taken";
    MakeOutputFolder(taken + "/inner");
    EXPECT_EQ(ErrorOf([&] { WholeFile::Write(taken, "x"); }),
              taken + ": cannot be written: Is a directory");
    EXPECT_EQ(folder.Names(), std::vector<std::string>{"taken"});
    WholeFile::Write(folder.Path() + "/file", "x");
    EXPECT_EQ(ErrorOf([&] { MakeOutputFolder(folder.Path() + "/file/out"); }),
              folder.Path() + "/file/out: cannot be made a folder for results: Not a directory");
    EXPECT_EQ(ErrorOf([&] { MakeOutputFolder(folder.Path() + "/file"); }),
              folder.Path() + "/file: cannot be made a folder for results: Not a directory");
    EXPECT_EQ(ErrorOf([&] { MakeOutputFolder(taken + "/inner"); }), "no error") << "it may exist";
    // A device without room, where the system has one, fails in the middle of writing.
    if (std::filesystem::exists("/dev/full"))
    {
        std::filesystem::create_symlink("/dev/full",
                                        folder.Path() + "/.full." + std::to_string(getpid()));
        const std::string full = folder.Path() + "/full";
        EXPECT_EQ(ErrorOf([&] { WholeFile::Write(full, std::string(1 << 20, 'x')); }),
                  full + ": cannot be written: No space left on device");
        EXPECT_FALSE(std::filesystem::exists(full));
    }
}
