// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-compat.h"
#include "ns3/fabric-registry.h"

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

class RegistryCase : public TestCase
{
  public:
    RegistryCase()
        : TestCase("ids of plug-ins")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_ASSERT_MSG_EQ(ToSnakeCase("Torus3D"), "torus_3d", "digits begin a word");
        NS_TEST_ASSERT_MSG_EQ(ToSnakeCase("EEcmp"), "e_ecmp", "a capital begins a word");
    }
};

class FabricSuite : public TestSuite
{
  public:
    FabricSuite()
        : TestSuite("ai-fabric", compat::SuiteType<TestSuite>::kUnit)
    {
        AddTestCase(new RegistryCase, compat::CaseDuration<TestCase>::kQuick);
    }
};

FabricSuite g_fabricSuite;

} // namespace
