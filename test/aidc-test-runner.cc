// SPDX-License-Identifier: GPL-2.0-only

// Runs aidc's test suites outside an ns-3 tree, with the options of ns-3's own test-runner. In a
// tree, ./test.py does.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
