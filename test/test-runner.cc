// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/test.h"

/// Runs the ns-3 test suites that are linked in, with the options of ns-3's own test-runner.
int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
