/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_WORKLOAD_H
#define AIDC_LAYER_WORKLOAD_H

#include "layer-model.h"

#include <string>

namespace ns3::aidc
{

/// Read a workload of SimAI or of ASTRA-sim 1.0.
/// @param text the text
/// @param settings how it is read
/// @return the workload
/// @throws TextError if it is no such text
LayerWorkload ParseLayerWorkload(const std::string& text, const LayerWorkloadSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_LAYER_WORKLOAD_H
