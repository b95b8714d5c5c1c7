// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_MALFORMED_SCENARIO_H
#define AIFABRIC_MALFORMED_SCENARIO_H

#include "error-of.h"

#include "ns3/scenario-file.h"
#include "ns3/scenario-run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/// Reads a scenario and puts it together.
inline void
ReadAndBuild(const JsonValue& json)
{
    const ScenarioFile file = ReadScenarioFile(json);
    for (const ScenarioConfig& config : file.runs)
    {
        ScenarioRun run(config);
    }
}

/// A text that is no scenario.
struct Malformed
{
    std::string text;
    std::string error; ///< what it begins with, after the name of the file
};

/// A scenario of a star with other keys.
inline std::string
Star(const std::string& others)
{
    return R"({"topology": {"type": "star", "host_count": 8}, )" + others + "}";
}

/// A star with one entry of traffic.
inline std::string
Traffic(const std::string& entry)
{
    return Star(R"("traffic": [{)" + entry + "}]");
}

/// Expects these errors, each soon, on one line and short.
inline void
ExpectErrors(const std::vector<Malformed>& cases)
{
    for (const Malformed& malformed : cases)
    {
        const auto start = std::chrono::steady_clock::now();
        const std::string error =
            ErrorOf([&] { ReadAndBuild(JsonValue::Parse(malformed.text, "dir/bad.json")); });
        const auto took = std::chrono::steady_clock::now() - start;
        const std::string expected = "dir/bad.json: " + malformed.error;
        EXPECT_EQ(error.substr(0, expected.size()), expected) << error << "\n" << malformed.text;
        EXPECT_LT(error.size(), 500U) << error;
        EXPECT_EQ(error.find_first_of("\n\r\t"), std::string::npos) << error;
        EXPECT_LT(took, std::chrono::seconds(2)) << malformed.text;
    }
}

} // namespace ns3::aifabric

#endif // AIFABRIC_MALFORMED_SCENARIO_H
