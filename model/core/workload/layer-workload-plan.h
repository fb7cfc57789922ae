// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LAYER_WORKLOAD_PLAN_H
#define AIDC_LAYER_WORKLOAD_PLAN_H

#include "layer-workload.h"
#include "workload-plan.h"

namespace ns3::aidc
{

/// Make the programs of all ranks from a workload of layers.
///
/// All ranks do the same, in the order of SimAI and ASTRA-sim 1.0, in each pass:
///
/// - Forward through the layers. A layer waits for its weight-gradient collective of the pass
///   before, computes, and communicates; the next layer waits for it. In HYBRID_DLRM only
///   all-to-alls are forward; nobody waits for the all-to-all of the embeddings (layer 0) until the
///   last bottom layer has computed.
/// - Backward from the last layer on: the input gradient, and then the weight gradient. In DATA and
///   HYBRID_DLRM the weight gradient comes first, and layer 0 has no input gradient. Nobody waits
///   for weight-gradient collectives in the pass. Input-gradient collectives of transformers are
///   waited for at once in SimAI; all others overlap with the weight gradient. The input-gradient
///   collective of the embeddings starts after the first top layer.
/// - In HYBRID_TRANSFORMER_FWD_IN_BCKWD, before a layer that recomputes goes backward, the layers
///   from the last checkpoint before it up to it go forward again.
/// - With several stages, the layers of a microbatch wait for a message of the stage before, and
///   send one to the next stage; backward, it is the other way round. Nobody waits for what it has
///   sent. All stages do the same layers, as in the text.
/// - MICRO has only weight-gradient collectives, of the first layer or of all layers.
///   DISTRIBUTED_INFERENCE goes forward only.
///
/// After each collective, the update time passes (in no unit) until what waits for the collective
/// goes on. Collectives of no bytes, and among one rank, are left out with their update times, and
/// so are computations of no time. In SimAI, HYBRID_TRANSFORMER_FWD_IN_BCKWD sends at least 4096
/// bytes in a forward collective.
///
/// Collectives have names such as "forward/pass-0/layer-2-mlp/rank-8", the rank being the first one
/// of the group.
/// @return the programs, which have been checked
/// @throws std::invalid_argument if a collective cannot be done as the settings want
WorkloadPlan MakeLayerWorkloadPlan(const LayerWorkload& workload,
                                   const LayerWorkloadSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_LAYER_WORKLOAD_PLAN_H
