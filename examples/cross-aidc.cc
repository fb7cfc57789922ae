/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment RoCEv2 between two data centers over a WAN, and who reacts to congestion when
 */

#include "ns3/cross-aidc-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::CrossAidcExperiment().Main(argc, argv);
}
