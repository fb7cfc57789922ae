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

#include "ns3/flowset-ecmp-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::FlowsetEcmpExperiment().Main(argc, argv);
}
