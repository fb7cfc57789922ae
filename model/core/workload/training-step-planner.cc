/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step-planner.h"

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// No operation.
constexpr uint32_t NO_OPERATION = std::numeric_limits<uint32_t>::max();

/// Adds a training step to a plan.
class TrainingStepPlanner
{
  public:
    /// @param plan the plan
    /// @param step the training step
    TrainingStepPlanner(WorkloadPlan& plan, const TrainingStep& step);

    /// Add all operations.
    void Plan();

  private:
    /// Ranks of a group, by the group's number.
    using Groups = std::vector<RankGroup>;

    /// Sizes of an all-to-all, if they are not equal.
    using Sizes = std::shared_ptr<const CollectiveSizes>;

    /// @param d its data index
    /// @param t its tensor index
    /// @param p its stage
    /// @return the rank
    uint32_t GetRank(uint32_t d, uint32_t t, uint32_t p) const;

    /// Find the groups of all stages.
    void MakeGroups();

    /// Add a computation at each rank of a stage.
    /// @param stage the stage
    /// @param nanoseconds how long it takes
    /// @param item what it belongs to
    void Compute(uint32_t stage, uint64_t nanoseconds, uint32_t item);

    /// Add a collective in each group of a stage, after all before.
    /// @param name the name, before the rank
    /// @param groups the groups
    /// @param kind the kind
    /// @param collective the collective
    /// @param last by rank, the operation before it; then it itself
    /// @param also by rank, another operation before it, or null
    /// @param sizes the sizes, if they are not equal
    void Collect(const std::string& name,
                 const Groups& groups,
                 CollectiveKind kind,
                 const TrainingCollective& collective,
                 std::vector<uint32_t>& last,
                 const std::vector<uint32_t>* also = nullptr,
                 const Sizes& sizes = nullptr);

    /// Take a microbatch through a stage.
    /// @param stage the stage
    /// @param microbatch the microbatch
    /// @param isForward the direction
    void Pass(uint32_t stage, uint32_t microbatch, bool isForward);

    /// Add the messages from a stage to the next one in a direction.
    /// @param from the stage that sends
    /// @param to the stage that receives
    /// @param item what they belong to
    /// @param tag their tag
    void SendOn(uint32_t from, uint32_t to, uint32_t item, uint32_t tag);

    /// @param stage the stage
    /// @param layer the number of the layer
    void ReduceGradients(uint32_t stage, uint32_t layer);

    /// Add what comes behind the last microbatch.
    /// @param stage the stage
    void EndStep(uint32_t stage);

    /// Make the list of what an operation waits for.
    /// @param first an operation, or none
    /// @param second another one, or none
    /// @return those that there are
    static std::vector<uint32_t> After(uint32_t first, uint32_t second);

    WorkloadPlan& m_plan;             //!< the plan
    const TrainingStep& m_step;       //!< the training step
    uint32_t m_nStageLayers;          //!< the layers of a stage
    uint32_t m_forward;               //!< the item of computations forward
    uint32_t m_backward;              //!< the item of computations backward
    uint32_t m_optimizer;             //!< the item of the optimizer
    std::vector<Groups> m_tensor;     //!< by stage
    std::vector<Groups> m_expert;     //!< by stage
    std::vector<Groups> m_data;       //!< by stage
    Sizes m_dispatch;                 //!< of all-to-alls to experts, if they are not equal
    Sizes m_combine;                  //!< of those back
    std::vector<uint32_t> m_last;     //!< by rank, the last operation
    std::vector<uint32_t> m_input;    //!< by rank, the message that the next computation needs
    std::vector<uint32_t> m_lastData; //!< by rank, the last reduction of gradients
};

TrainingStepPlanner::TrainingStepPlanner(WorkloadPlan& plan, const TrainingStep& step)
    : m_plan(plan),
      m_step(step),
      m_nStageLayers(step.nLayers / step.pp),
      m_forward(plan.AddItem("forward")),
      m_backward(plan.AddItem("backward")),
      m_optimizer(plan.AddItem("optimizer")),
      m_last(step.GetNRanks(), NO_OPERATION),
      m_input(step.GetNRanks(), NO_OPERATION),
      m_lastData(step.GetNRanks(), NO_OPERATION)
{
    if (step.ep > 1 && step.expertLoad != 1)
    {
        const auto sizes = MakeSkewedSizes(step.ep, step.expert.bytes, 0, step.expertLoad);
        m_dispatch = std::make_shared<const CollectiveSizes>(sizes);
        m_combine = std::make_shared<const CollectiveSizes>(sizes.GetTransposed());
    }
}

uint32_t
TrainingStepPlanner::GetRank(uint32_t d, uint32_t t, uint32_t p) const
{
    return t + m_step.tp * (d + m_step.dp * p);
}

void
TrainingStepPlanner::MakeGroups()
{
    const auto add = [](Groups& groups, const std::vector<uint32_t>& ranks) {
        if (ranks.size() > 1)
        {
            groups.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
        }
    };
    m_tensor.resize(m_step.pp);
    m_expert.resize(m_step.pp);
    m_data.resize(m_step.pp);
    for (uint32_t p = 0; p < m_step.pp; ++p)
    {
        for (uint32_t d = 0; d < m_step.dp; ++d)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t t = 0; t < m_step.tp; ++t)
            {
                ranks.push_back(GetRank(d, t, p));
            }
            add(m_tensor[p], ranks);
        }
        for (uint32_t t = 0; t < m_step.tp; ++t)
        {
            std::vector<uint32_t> all;
            std::vector<uint32_t> ranks;
            for (uint32_t d = 0; d < m_step.dp; ++d)
            {
                all.push_back(GetRank(d, t, p));
                ranks.push_back(all.back());
                if (ranks.size() == m_step.ep)
                {
                    add(m_expert[p], ranks);
                    ranks.clear();
                }
            }
            add(m_data[p], all);
        }
    }
}

std::vector<uint32_t>
TrainingStepPlanner::After(uint32_t first, uint32_t second)
{
    std::vector<uint32_t> after;
    if (first != NO_OPERATION)
    {
        after.push_back(first);
    }
    if (second != NO_OPERATION && second != first)
    {
        after.push_back(second);
    }
    return after;
}

void
TrainingStepPlanner::Compute(uint32_t stage, uint64_t nanoseconds, uint32_t item)
{
    const uint32_t first = GetRank(0, 0, stage);
    for (uint32_t rank = first; rank < first + m_step.dp * m_step.tp; ++rank)
    {
        m_last[rank] = m_plan.GetProgram(rank).AddCompute(nanoseconds,
                                                          After(m_last[rank], m_input[rank]),
                                                          item);
        m_input[rank] = NO_OPERATION;
    }
}

void
TrainingStepPlanner::Collect(const std::string& name,
                             const Groups& groups,
                             CollectiveKind kind,
                             const TrainingCollective& collective,
                             std::vector<uint32_t>& last,
                             const std::vector<uint32_t>* also,
                             const Sizes& sizes)
{
    for (const RankGroup& group : groups)
    {
        CollectiveScheduleSettings settings =
            collective.GetSettings(kind, static_cast<uint32_t>(group->size()));
        if (sizes)
        {
            settings.sizes = sizes;
            settings.bytes = sizes->GetBytes();
        }
        const CollectiveSchedule schedule(settings);
        std::vector<std::vector<uint32_t>> after;
        for (const uint32_t rank : *group)
        {
            after.push_back(After(last[rank], also ? (*also)[rank] : m_input[rank]));
            if (!also)
            {
                m_input[rank] = NO_OPERATION;
            }
        }
        const auto operations = m_plan.AddCollective(name + "/rank-" + std::to_string((*group)[0]),
                                                     schedule,
                                                     group,
                                                     after);
        for (std::size_t i = 0; i < group->size(); ++i)
        {
            last[(*group)[i]] = operations[i];
        }
    }
}

void
TrainingStepPlanner::SendOn(uint32_t from, uint32_t to, uint32_t item, uint32_t tag)
{
    const uint32_t nRanks = m_step.dp * m_step.tp;
    for (uint32_t i = 0; i < nRanks; ++i)
    {
        const uint32_t sender = GetRank(0, 0, from) + i;
        const uint32_t receiver = GetRank(0, 0, to) + i;
        m_input[receiver] = m_plan
                                .AddMessage(item,
                                            sender,
                                            receiver,
                                            m_step.pipelineBytes,
                                            tag,
                                            After(m_last[sender], NO_OPERATION),
                                            {})
                                .second;
    }
}

void
TrainingStepPlanner::Pass(uint32_t stage, uint32_t microbatch, bool isForward)
{
    const std::string direction = isForward ? "forward" : "backward";
    const bool isLast = !isForward && microbatch + 1 == m_step.nMicrobatches;
    for (uint32_t i = 0; i < m_nStageLayers; ++i)
    {
        const uint32_t layer = stage * m_nStageLayers + (isForward ? i : m_nStageLayers - 1 - i);
        const std::string name = direction + "/microbatch-" + std::to_string(microbatch) +
                                 "/layer-" + std::to_string(layer);
        const auto exchange = [&](const char* what, const Sizes& sizes) {
            Collect(std::string(what) + name,
                    m_expert[stage],
                    CollectiveKind::ALL_TO_ALL,
                    m_step.expert,
                    m_last,
                    nullptr,
                    sizes);
        };
        exchange("expert-dispatch-", m_dispatch);
        Compute(stage,
                isForward ? m_step.forwardNs : m_step.backwardNs,
                isForward ? m_forward : m_backward);
        exchange("expert-combine-", m_combine);
        for (uint32_t k = 0; k < m_step.nTensor; ++k)
        {
            Collect("tensor-" + name,
                    m_tensor[stage],
                    CollectiveKind::ALL_REDUCE,
                    m_step.tensor,
                    m_last);
        }
        if (isLast && m_step.overlaps)
        {
            ReduceGradients(stage, layer);
        }
    }
}

void
TrainingStepPlanner::ReduceGradients(uint32_t stage, uint32_t layer)
{
    Collect("data/layer-" + std::to_string(layer),
            m_data[stage],
            m_step.isSharded ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE,
            m_step.data,
            m_lastData,
            &m_last);
}

void
TrainingStepPlanner::Plan()
{
    MakeGroups();
    const uint32_t activations = m_plan.AddItem("activations");
    const uint32_t activationTag = m_plan.TakeTags(1);
    for (uint32_t microbatch = 0; microbatch < m_step.nMicrobatches; ++microbatch)
    {
        for (uint32_t p = 0; p < m_step.pp; ++p)
        {
            Pass(p, microbatch, true);
            if (p + 1 < m_step.pp)
            {
                SendOn(p, p + 1, activations, activationTag);
            }
        }
    }
    const uint32_t gradients = m_plan.AddItem("gradients");
    const uint32_t gradientTag = m_plan.TakeTags(1);
    for (uint32_t microbatch = 0; microbatch < m_step.nMicrobatches; ++microbatch)
    {
        for (uint32_t p = m_step.pp; p-- > 0;)
        {
            Pass(p, microbatch, false);
            if (p > 0)
            {
                SendOn(p, p - 1, gradients, gradientTag);
            }
        }
    }
    for (uint32_t p = 0; p < m_step.pp; ++p)
    {
        EndStep(p);
    }
}

void
TrainingStepPlanner::EndStep(uint32_t stage)
{
    const uint32_t firstLayer = stage * m_nStageLayers;
    for (uint32_t i = m_nStageLayers; i-- > 0 && !m_step.overlaps;)
    {
        ReduceGradients(stage, firstLayer + i);
    }
    if (m_step.optimizerNs > 0 || m_step.isSharded)
    {
        m_input = m_lastData;
        Compute(stage, m_step.optimizerNs, m_optimizer);
    }
    for (uint32_t i = 0; i < m_nStageLayers && m_step.isSharded; ++i)
    {
        Collect("parameters/layer-" + std::to_string(firstLayer + i),
                m_data[stage],
                CollectiveKind::ALL_GATHER,
                m_step.data,
                m_last);
    }
}

} // namespace

void
AddTrainingStep(WorkloadPlan& plan, const TrainingStep& step)
{
    step.Check();
    if (step.GetNRanks() > plan.GetNRanks())
    {
        throw std::invalid_argument("the step has " + std::to_string(step.GetNRanks()) +
                                    " ranks, the plan " + std::to_string(plan.GetNRanks()));
    }
    TrainingStepPlanner(plan, step).Plan();
}

} // namespace ns3::aidc
