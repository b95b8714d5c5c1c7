// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-registry.h"
#include "ns3/fabric-time.h"
#include "ns3/scenario-error.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::aifabric;

TEST(FabricRegistry, IdsAreSnakeCase)
{
    EXPECT_EQ(ToSnakeCase("Dcqcn"), "dcqcn");
    EXPECT_EQ(ToSnakeCase("HpccPint"), "hpcc_pint");
    EXPECT_EQ(ToSnakeCase("Torus3D"), "torus_3d");
    EXPECT_EQ(ToSnakeCase("EEcmp"), "e_ecmp");
    EXPECT_EQ(ToSnakeCase("1f1b"), "1f1b");
}

TEST(ScenarioError, NamesFilePathAndNearestKey)
{
    ScenarioError e =
        ScenarioError("k", "found 3").Under("parameters").Under("topology").In("a.json");
    EXPECT_STREQ(e.what(), "a.json: topology.parameters.k: found 3");
    EXPECT_EQ(SuggestFrom("dcqnc", {"dcqcn", "hpcc"}), ", did you mean 'dcqcn'?");
    EXPECT_EQ(SuggestFrom("xyzzyx", {"dcqcn", "hpcc"}), ", expected one of dcqcn, hpcc");
}

TEST(ByteTime, IsExactForEthernetRates)
{
    EXPECT_EQ(ByteTime(400e9)(4096), 81920);
    EXPECT_EQ(ByteTime(100e9)(1048), 83840);
    EXPECT_EQ(ByteTime(1.6e12)(64), 320);
    EXPECT_NEAR(ByteTime(370.8e9 * 8)(65536), 65536 / 370.8e9 * 1e12, 0.6);
}
