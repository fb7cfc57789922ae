/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment ECN threshold coupled to a switch's shared buffer, against two static thresholds
 */

#include "ns3/coupled-ecn-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::CoupledEcnExperiment().Main(argc, argv);
}
