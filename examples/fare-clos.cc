/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment Weighted ECMP by path bandwidths that BGP carries (FARE), against plain ECMP
 */

#include "ns3/fare-clos-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::FareClosExperiment().Main(argc, argv);
}
