/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_POLICY_H
#define AIDC_LAYER_POLICY_H

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// Which ranks communicate, and in which order (the first word of a file).
enum class LayerPolicy : uint8_t
{
    DATA,                            //!< data parallelism
    MODEL,                           //!< model parallelism
    HYBRID_TRANSFORMER,              //!< tensor parallelism, and data parallelism around it
    HYBRID_TRANSFORMER_FWD_IN_BCKWD, //!< the same, and some layers go forward again when backward
    HYBRID_DLRM,                     //!< data parallelism, with the embeddings in layer 0
    HYBRID_DLRM_ENHANCED,            //!< the same; nothing waits for the embeddings' gradients
    HYBRID_DATA_MODEL,               //!< model parallelism among neighbors, data around it
    HYBRID_MODEL_DATA,               //!< data parallelism among neighbors, model around it
    HYBRID_CUSTOMIZED,               //!< each layer has a policy
    MICRO,                           //!< collectives only
    DISTRIBUTED_INFERENCE            //!< forward only
};

/// @return its name in files, such as "HYBRID_DLRM"
const char* GetLayerPolicyName(LayerPolicy policy);

/// @return whether there is one
bool ParseLayerPolicy(const std::string& name, LayerPolicy& policy);

/// @return the names of all policies, for messages to the user
std::string ListLayerPolicies();

/// @return whether it has tensor parallelism
bool IsTransformer(LayerPolicy policy);

/// @return whether it has embeddings in layer 0
bool IsDlrm(LayerPolicy policy);

} // namespace ns3::aidc

#endif // AIDC_LAYER_POLICY_H
