/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment A training step over RoCEv2, and what each mechanism gains
 */

#include "ns3/ai-training-experiment.h"

int
main(int argc, char* argv[])
{
    return ns3::aidc::AiTrainingExperiment().Main(argc, argv);
}
