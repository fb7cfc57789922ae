// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PIPELINE_SCHEDULE_H
#define AIDC_PIPELINE_SCHEDULE_H

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// In which order a stage of a pipeline takes its microbatches.
enum class PipelineOrder : uint8_t
{
    GPIPE,                    //!< all forward, then all backward
    ONE_FORWARD_ONE_BACKWARD, //!< one forward and one backward in turn, as soon as it can
    INTERLEAVED               //!< the same, with several chunks of layers in each stage
};

/// @param order the order
/// @return its name: gpipe, 1f1b or interleaved
const char* GetPipelineOrderName(PipelineOrder order);

/// @param name the name
/// @param order where the order goes
/// @return whether there is one
bool ParsePipelineOrder(const std::string& name, PipelineOrder& order);

/// What a stage of a pipeline does at a time: a microbatch goes through a chunk of layers.
struct PipelineUnit
{
    bool isForward;      //!< the direction
    uint32_t chunk;      //!< the number of the chunk of layers at its stage
    uint32_t microbatch; //!< the number of the microbatch
};

/// The units of each stage of a pipeline, in their order, which is Megatron-LM's.
///
/// A stage begins with a number of units forward, its warm-up. Then one forward and one backward
/// take turns, and the backward ones that are left follow. With p stages and m microbatches, the
/// warm-up of stage r is
///
/// * GPipe: m units [Huang et al., "GPipe", 2019];
/// * 1F1B: p - 1 - r units, or m if there are fewer [Narayanan et al., "Efficient Large-Scale
///   Language Model Training on GPU Clusters Using Megatron-LM", 2021, section 2.2];
/// * interleaved, with v chunks of layers a stage: 2 (p - 1 - r) + (v - 1) p units, or m v if there
///   are fewer, or if m = p. Units go through the chunks in groups of p microbatches, so
///   m is a multiple of p.
///
/// Chunk c of stage r has the layers after chunk c of stage r - 1, or, if r = 0, after chunk c - 1
/// of the last stage.
class PipelineSchedule
{
  public:
    /// @param order the order
    /// @param nStages the stages, at least 1; 2 if interleaved
    /// @param nMicrobatches the microbatches, at least 1
    /// @param nChunks the chunks of layers of a stage: 1; at least 2 if interleaved
    /// @throws std::invalid_argument if the numbers do not fit together
    PipelineSchedule(PipelineOrder order,
                     uint32_t nStages,
                     uint32_t nMicrobatches,
                     uint32_t nChunks = 1);

    /// @return how many units a stage has, forward and backward
    uint64_t GetNUnits() const
    {
        return 2 * uint64_t{m_nMicrobatches} * m_nChunks;
    }

    /// @param stage the stage
    /// @return how many units go forward before units forward and backward take turns
    uint64_t GetNWarmUp(uint32_t stage) const;

    /// @param stage the stage
    /// @param number the number of the unit at this stage, from 0 on
    /// @return the unit
    PipelineUnit GetUnit(uint32_t stage, uint64_t number) const;

  private:
    PipelineUnit GetUnitOf(bool isForward, uint64_t number) const;

    PipelineOrder m_order;    //!< the order
    uint32_t m_nStages;       //!< the stages
    uint32_t m_nMicrobatches; //!< the microbatches
    uint32_t m_nChunks;       //!< the chunks of a stage
};

} // namespace ns3::aidc

#endif // AIDC_PIPELINE_SCHEDULE_H
