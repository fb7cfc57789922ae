/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment Congestion-aware flow-set switching, against hashing, flowlets and spraying
 */

#include "ns3/flow-set-ecmp-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::FlowSetEcmpExperiment().Main(argc, argv);
}
