/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TWO_SITES_STEP_H
#define AIDC_TWO_SITES_STEP_H

#include "two-sites-settings.h"

#include "ns3/workload-plan.h"

#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The channels of a rank, each a ring of its own with an equal part of the bytes, as NCCL has
/// them; and the queue pairs of a burst's sender
constexpr uint32_t TWO_SITES_CHANNELS = 4;

/// @ingroup aidc
/// Make the training step.
///
/// All ranks of both data centers train one model: for each layer they reduce-scatter the gradients
/// in the data center, all-reduce their parts with the rank of the same number in the other one,
/// and all-gather the result. While a layer is reduced, the next one is computed. A rank has some
/// channels, each with a part of the bytes and queue pairs of its own.
/// @param settings what the user has set
/// @return the programs of all channels: those of the first channel of all ranks come first, and of
///         these those of the first data center
WorkloadPlan MakeTwoSitesStep(const TwoSitesSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_STEP_H
