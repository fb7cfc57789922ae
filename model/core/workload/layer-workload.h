// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LAYER_WORKLOAD_H
#define AIDC_LAYER_WORKLOAD_H

#include "collective-schedule.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Whose text a workload of layers is.
enum class LayerWorkloadFormat : uint8_t
{
    GUESS,    //!< SIMAI if the header has a key that only SimAI has, else ASTRA_SIM
    SIMAI,    //!< SimAI's, which AICB writes: keys in the first line
    ASTRA_SIM //!< ASTRA-sim 1.0's: a header by position
};

/// What the size of an all-gather is.
enum class GatherSize : uint8_t
{
    BY_FORMAT,   //!< TOTAL in SimAI, CONTRIBUTION in ASTRA-sim 1.0
    TOTAL,       //!< the bytes that each rank has in the end
    CONTRIBUTION //!< the bytes that each rank has at first
};

/// How a workload of layers is read and executed.
struct LayerWorkloadSettings : CollectiveSettings
{
    LayerWorkloadFormat format{LayerWorkloadFormat::GUESS}; //!< whose text it is
    GatherSize gatherSize{GatherSize::BY_FORMAT};           //!< what the size of all-gathers is
    uint32_t nRanks{0}; //!< the number of ranks; 0 if the file tells it
    /// How many consecutive ranks are neighbors, as the first dimension of ASTRA-sim's topology:
    /// for HYBRID_DATA_MODEL, HYBRID_MODEL_DATA and HYBRID_CUSTOMIZED.
    uint32_t nNeighbors{0};
    uint32_t nPasses{1};        //!< how often the model goes forward and backward
    bool allLayers{false};      //!< whether all layers of MICRO communicate, not only the first one
    bool ignoresUnknown{false}; //!< whether collectives of unknown types are left out

    std::string ranksName{"nRanks"};         //!< what sets nRanks, for errors
    std::string neighborsName{"nNeighbors"}; //!< what sets nNeighbors, for errors
};

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

/// @return whether it has tensor parallelism
bool IsTransformer(LayerPolicy policy);

/// @return whether it has embeddings in layer 0
bool IsDlrm(LayerPolicy policy);

/// Which ranks take part in a collective of a layer.
enum class LayerGroup : uint8_t
{
    BY_POLICY,  //!< ranks that the policy tells
    EXPERT,     //!< ranks that hold different experts (_EP)
    DATA_EXPERT //!< ranks that hold the same experts (_DP_EP)
};

/// What a layer does in one of three phases: it computes, and then communicates.
struct LayerPhase
{
    uint64_t computeNs{0};                    //!< nanoseconds that a rank computes
    std::optional<CollectiveKind> collective; //!< what it communicates, if anything
    LayerGroup group{LayerGroup::BY_POLICY};  //!< among which ranks
    uint64_t bytes{0};                        //!< the size in the file
};

/// A phase of a layer.
enum class LayerPhaseKind : uint8_t
{
    FORWARD,        //!< forward
    INPUT_GRADIENT, //!< backward, for the layer before
    WEIGHT_GRADIENT //!< backward, for the weights
};

/// A layer of a model.
struct WorkloadLayer
{
    std::string name;                      //!< its name
    LayerPhase forward;                    //!< forward
    LayerPhase inputGradient;              //!< backward, for the layer before
    LayerPhase weightGradient;             //!< backward, for the weights
    uint64_t updateNs{0};                  //!< delay after each of its collectives
    LayerPolicy policy{LayerPolicy::DATA}; //!< its own, if the file's is HYBRID_CUSTOMIZED
    bool isCheckpoint{false};              //!< whether layers go forward again from here
    bool recomputes{false};                //!< whether layers before it go forward again for it

    /// @return the phase
    const LayerPhase& Get(LayerPhaseKind kind) const
    {
        return kind == LayerPhaseKind::FORWARD          ? forward
               : kind == LayerPhaseKind::INPUT_GRADIENT ? inputGradient
                                                        : weightGradient;
    }
};

/// A workload of SimAI or of ASTRA-sim 1.0: the layers of a model.
///
/// Its sizes fit together: tp * pp divides the number of ranks, ep what is left, and each layer
/// that makes others go forward again has a checkpoint before it.
struct LayerWorkload
{
    LayerWorkloadFormat format{LayerWorkloadFormat::ASTRA_SIM}; //!< as what it has been read
    LayerPolicy policy{LayerPolicy::DATA};                      //!< the policy
    uint32_t nRanks{1};                                         //!< the number of ranks
    uint32_t tp{1};              //!< neighbors of a group: tensor-parallel ones, or nNeighbors
    uint32_t pp{1};              //!< stages of the pipeline
    uint32_t ep{1};              //!< ranks of an expert group
    bool isInference{false};     //!< whether it goes forward only, whatever the policy
    uint64_t pipelineBytes{0};   //!< bytes of a message from a stage to the next one
    uint32_t nMicrobatches{1};   //!< how often these layers go to the next stage: in blocks
    uint32_t firstBlockLayer{0}; //!< the layers before it are of no microbatch
    uint32_t layersPerBlock{0};  //!< layers of a microbatch
    uint32_t lastBottomLayer{0}; //!< of HYBRID_DLRM: after it, the embeddings are needed
    std::vector<WorkloadLayer> layers; //!< the layers
    std::vector<std::string> notes;    //!< what a user should know, a line each
};

/// Which ranks communicate in a phase of a layer.
///
/// With tensor-parallel size tp, neighbors are tp consecutive ranks, and pp groups of neighbors the
/// stages of a pipeline. Data-parallel groups have every n / dp-th rank, as in SimAI. Expert groups
/// are ep consecutive ranks of a data-parallel group. Ranks with the same experts are the others of
/// the same place in such groups. (SimAI's expert groups have ranks of several stages.)
enum class LayerRanks : uint8_t
{
    NOBODY,     //!< none
    ALL,        //!< all
    NEIGHBORS,  //!< groups of neighbors
    APART,      //!< one of each group of neighbors of a stage
    EXPERT,     //!< ranks of different experts
    DATA_EXPERT //!< ranks of the same experts
};

/// @return which ranks communicate in a phase of a layer by the policy; none if the phase has no
/// collective with bytes
std::optional<LayerRanks> GetLayerRanks(const LayerWorkload& workload,
                                        std::size_t layer,
                                        LayerPhaseKind kind);

/// The form of groups: consecutive blocks of ranks are divided by their remainder.
struct LayerGroupForm
{
    uint32_t count;    //!< the ranks of a group; 0 for NOBODY
    uint32_t distance; //!< between two of them
};

/// @return the form of the groups of these ranks
LayerGroupForm GetLayerGroupForm(const LayerWorkload& workload, LayerRanks ranks);

/// Read a workload of SimAI or of ASTRA-sim 1.0.
/// @throws TextError if it is no such text
LayerWorkload ParseLayerWorkload(const std::string& text, const LayerWorkloadSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_LAYER_WORKLOAD_H
