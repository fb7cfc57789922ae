/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-policy.h"

#include <array>
#include <cstddef>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Policies by name.
const std::array<std::pair<const char*, LayerPolicy>, 11> POLICIES{
    {{"DATA", LayerPolicy::DATA},
     {"MODEL", LayerPolicy::MODEL},
     {"HYBRID_TRANSFORMER", LayerPolicy::HYBRID_TRANSFORMER},
     {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD},
     {"HYBRID_DLRM", LayerPolicy::HYBRID_DLRM},
     {"HYBRID_DLRM_ENHANCED", LayerPolicy::HYBRID_DLRM_ENHANCED},
     {"HYBRID_DATA_MODEL", LayerPolicy::HYBRID_DATA_MODEL},
     {"HYBRID_MODEL_DATA", LayerPolicy::HYBRID_MODEL_DATA},
     {"HYBRID_CUSTOMIZED", LayerPolicy::HYBRID_CUSTOMIZED},
     {"MICRO", LayerPolicy::MICRO},
     {"DISTRIBUTED_INFERENCE", LayerPolicy::DISTRIBUTED_INFERENCE}}};

} // namespace

const char*
GetLayerPolicyName(LayerPolicy policy)
{
    return POLICIES[static_cast<std::size_t>(policy)].first;
}

bool
ParseLayerPolicy(const std::string& name, LayerPolicy& policy)
{
    for (const auto& [known, value] : POLICIES)
    {
        if (name == known)
        {
            policy = value;
            return true;
        }
    }
    return false;
}

std::string
ListLayerPolicies()
{
    std::string text;
    for (const auto& entry : POLICIES)
    {
        text += (text.empty() ? "" : ", ") + std::string(entry.first);
    }
    return text;
}

bool
IsTransformer(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_TRANSFORMER ||
           policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD;
}

bool
IsDlrm(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_DLRM || policy == LayerPolicy::HYBRID_DLRM_ENHANCED;
}

} // namespace ns3::aidc
