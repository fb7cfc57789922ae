/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment What CSIG reports of a fat-tree, and what its users make of it
 */

#include "ns3/csig-fabric-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::CsigFabricExperiment().Main(argc, argv);
}
