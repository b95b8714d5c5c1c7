// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/host-set.h"
#include "ns3/scenario-error.h"

#include <gtest/gtest.h>

using namespace ns3::aifabric;

using Hosts = std::vector<uint32_t>;

TEST(HostSet, ReadsAllRangesAndLists)
{
    EXPECT_EQ(ParseHostSet("all", 3), (Hosts{0, 1, 2}));
    EXPECT_EQ(ParseHostSet("\"all\"", 2), (Hosts{0, 1}));
    EXPECT_EQ(ParseHostSet("2", 3), (Hosts{2}));
    EXPECT_EQ(ParseHostSet("0-2", 3), (Hosts{0, 1, 2}));
    EXPECT_EQ(ParseHostSet(" 5 - 6 , 0", 7), (Hosts{0, 5, 6}));
    EXPECT_EQ(ParseHostSet("[3,7]", 8), (Hosts{3, 7}));
    EXPECT_EQ(ParseHostSet("[\"4-5\", 1]", 8), (Hosts{1, 4, 5}));
}

TEST(HostSet, RefusesWhatIsNone)
{
    for (const char* text : {"",
                             " ",
                             "[]",
                             "-1",
                             "1-",
                             "-",
                             "a",
                             "1.5",
                             "0-3-",
                             "0,",
                             ",0",
                             "[0",
                             "0 1",
                             "8",
                             "0-8",
                             "3-1",
                             "0,0",
                             "0-3,2",
                             "[1,1]",
                             "all,1",
                             "0x1",
                             "99999999999999999999",
                             "0-4294967296",
                             "0-4294967295"})
    {
        EXPECT_THROW(ParseHostSet(text, 8), ScenarioError) << "'" << text << "'";
    }
    EXPECT_THROW(ParseHostSet("all", 0), ScenarioError);
    EXPECT_THROW(ParseHostSet("0", 0), ScenarioError);
}

TEST(HostSet, NamesTheHostThatDoesNotExist)
{
    EXPECT_EQ(ErrorOf([] { ParseHostSet("0-16", 16); }), "there is no host 16, expected 0 to 15");
}
