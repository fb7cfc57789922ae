// SPDX-License-Identifier: GPL-2.0-only

#include "training-step-planner.h"

#include "../require-argument.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The greatest number of operations of a step over all ranks, for memory's sake.
constexpr uint64_t MAX_OPERATIONS = 1ULL << 27;

/// Check that there is a collective. nMembers: the number of members; with one, there is none.
void
CheckCollective(const std::string& name,
                CollectiveKind kind,
                TrainingCollective collective,
                uint32_t nMembers)
{
    if (nMembers == 1)
    {
        return;
    }
    try
    {
        collective.kind = kind;
        collective.nMembers = nMembers;
        collective.Check();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + error.what());
    }
}

} // namespace

void
TrainingStep::Check() const
{
    constexpr uint32_t MAX = WorkloadPlan::MAX_RANKS;
    for (const uint32_t size : {dp, tp, cp, pp, ep, nLayers, nMicrobatches, nChunks})
    {
        AIDC_REQUIRE(size >= 1 && size <= MAX,
                     "sizes, layers, microbatches and chunks are from 1 to " + std::to_string(MAX));
    }
    uint64_t nRanks = 1;
    for (const uint32_t size : {dp, tp, cp, pp})
    {
        nRanks *= size; // at most 2^40
        AIDC_REQUIRE(nRanks <= MAX,
                     "there are at most " + std::to_string(MAX) + " ranks: dp * tp * cp * pp");
    }
    const auto nReplicas = static_cast<uint32_t>(GetNReplicas());
    AIDC_REQUIRE(nReplicas % ep == 0,
                 "ep divides dp * cp, but " + std::to_string(ep) + " does not divide " +
                     std::to_string(nReplicas));
    const uint64_t nParts = uint64_t{pp} * nChunks;
    AIDC_REQUIRE(nLayers % nParts == 0,
                 "each chunk of a stage has as many layers, but pp * chunks, " +
                     std::to_string(nParts) + ", does not divide " + std::to_string(nLayers));
    PipelineSchedule(order, pp, nMicrobatches, nChunks);
    AIDC_REQUIRE(nTensor <= 1024,
                 "a layer has at most 1024 all-reduces of tensors in each direction");
    const uint64_t perLayer =
        2 * (1 + (tp > 1 ? nTensor : 0) + (ep > 1 ? 2 : 0) + (cp > 1 ? 3 * uint64_t{cp} : 0));
    const uint64_t layers = uint64_t{nLayers} / pp * nMicrobatches; // at most 2^40
    AIDC_REQUIRE(layers <= MAX_OPERATIONS && layers * GetNRanks() <= MAX_OPERATIONS / perLayer,
                 "the step has at most " + std::to_string(MAX_OPERATIONS) +
                     " operations over all ranks");
    CheckCollective("tensor", CollectiveKind::ALL_REDUCE, tensor, tp);
    AIDC_REQUIRE(context.share >= 0 && context.share <= 1,
                 "context: the share of a layer's computation is from 0 to 1, not " +
                     std::to_string(context.share));
    AIDC_REQUIRE(context.bytes <= CollectiveScheduleSettings::MAX_BYTES / 2,
                 "context: keys and values have at most 2^59 bytes");
    AIDC_REQUIRE(ep == 1 || (expertLoad >= 1 && expertLoad <= ep),
                 "expert: the load of the first rank over the mean is from 1 to " +
                     std::to_string(ep) + ", not " + std::to_string(expertLoad));
    AIDC_REQUIRE(expertLoad == 1 || (ep <= CollectiveSizes::MAX_MEMBERS &&
                                     expert.bytes <= CollectiveScheduleSettings::MAX_BYTES / ep),
                 "expert: with unequal loads, there are at most " +
                     std::to_string(CollectiveSizes::MAX_MEMBERS) +
                     " ranks, which have at most 2^60 bytes to send together");
    CheckCollective("expert", CollectiveKind::ALL_TO_ALL, expert, ep);
    const auto kind = isSharded ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE;
    CheckCollective("data", kind, data, nReplicas);
    if (expertData)
    {
        AIDC_REQUIRE(
            ep > 1 && ep < nReplicas,
            "expert_data: gradients of experts are reduced by themselves if 1 < ep < dp * cp");
        CheckCollective("expert_data", kind, *expertData, nReplicas / ep);
    }
}

namespace
{

/// The ranks of a stage that communicate with each other.
struct TrainingStage
{
    uint32_t firstRank;    //!< the first one of the stage's ranks, which are consecutive
    uint32_t nRanks;       //!< how many they are
    RankGroups tensor;     //!< tp ranks each
    RankGroups context;    //!< cp ranks each
    RankGroups expert;     //!< ep ranks each
    RankGroups data;       //!< dp * cp ranks each
    RankGroups expertData; //!< with the same experts, if their gradients are separate

    TrainingStage(const TrainingStep& step, uint32_t stage)
        : firstRank(stage * static_cast<uint32_t>(step.GetNRanks() / step.pp)),
          nRanks(static_cast<uint32_t>(step.GetNRanks() / step.pp)),
          tensor(MakeRankGroups(firstRank, nRanks, step.tp, 1)),
          context(MakeRankGroups(firstRank, nRanks, step.cp, step.tp)),
          expert(MakeRankGroups(firstRank, nRanks, step.ep, step.tp))
    {
        const auto nReplicas = static_cast<uint32_t>(step.GetNReplicas());
        data = MakeRankGroups(firstRank, nRanks, nReplicas, step.tp);
        if (step.expertData)
        {
            expertData = MakeRankGroups(firstRank, nRanks, nReplicas / step.ep, step.tp * step.ep);
        }
    }
};

/// No operation.
constexpr uint32_t NO_OPERATION = std::numeric_limits<uint32_t>::max();

/// Adds a training step to a plan.
class TrainingStepPlanner
{
  public:
    TrainingStepPlanner(WorkloadPlan& plan, const TrainingStep& step)
        : m_plan(plan),
          m_step(step),
          m_nParts(step.pp * step.nChunks),
          m_forward(plan.AddItem("forward")),
          m_backward(plan.AddItem("backward")),
          m_optimizer(plan.AddItem("optimizer")),
          m_activations(plan.AddItem("activations")),
          m_gradients(plan.AddItem("gradients")),
          m_keys(step.cp > 1 ? plan.AddItem("keys-values") : 0),
          m_firstTag(plan.TakeTags(3)),
          m_last(step.GetNRanks(), NO_OPERATION),
          m_input(step.GetNRanks(), NO_OPERATION),
          m_lastData(step.GetNRanks(), NO_OPERATION)
    {
        for (uint32_t stage = 0; stage < step.pp; ++stage)
        {
            m_stages.emplace_back(step, stage);
        }
        if (step.ep > 1 && step.expertLoad != 1)
        {
            const auto sizes = MakeSkewedSizes(step.ep, step.expert.bytes, 0, step.expertLoad);
            m_dispatch = std::make_shared<const CollectiveSizes>(sizes);
            m_combine = std::make_shared<const CollectiveSizes>(sizes.GetTransposed());
        }
    }

    /// Add all operations of some steps, one after another.
    void Plan(uint32_t nSteps)
    {
        for (uint32_t i = 0; i < nSteps; ++i)
        {
            m_prefix = nSteps > 1 ? "step-" + std::to_string(i) + "/" : "";
            PlanStep(i + 1 < nSteps);
        }
    }

  private:
    /// Add all operations of a step. hasNext: whether another one follows.
    void PlanStep(bool hasNext)
    {
        const PipelineSchedule schedule(m_step.order,
                                        m_step.pp,
                                        m_step.nMicrobatches,
                                        m_step.nChunks);
        // Each stage does its units until one needs what another stage has not sent yet
        std::vector<uint64_t> next(m_step.pp, 0);
        for (uint64_t left = m_step.pp * schedule.GetNUnits(); left > 0;)
        {
            for (uint32_t p = 0; p < m_step.pp; ++p)
            {
                while (next[p] < schedule.GetNUnits())
                {
                    const PipelineUnit unit = schedule.GetUnit(p, next[p]);
                    if (NeedsInput(p, unit) &&
                        m_received.count({unit.isForward, GetPart(p, unit), unit.microbatch}) == 0)
                    {
                        break;
                    }
                    AddUnit(p, unit);
                    ++next[p];
                    --left;
                }
            }
        }
        for (uint32_t p = 0; p < m_step.pp; ++p)
        {
            EndStep(p, hasNext);
        }
    }

    /// Sizes of an all-to-all, if they are not equal.
    using Sizes = std::shared_ptr<const CollectiveSizes>;

    /// Whether a microbatch is passed on forward, the part that gets it, and the microbatch.
    using Input = std::tuple<bool, uint32_t, uint32_t>;

    /// @return the part of the model, in the order of its layers
    uint32_t GetPart(uint32_t stage, const PipelineUnit& unit) const
    {
        return stage + m_step.pp * unit.chunk;
    }

    /// @return whether it needs a message of another stage
    bool NeedsInput(uint32_t stage, const PipelineUnit& unit) const
    {
        return GetPart(stage, unit) != (unit.isForward ? 0 : m_nParts - 1);
    }

    /// Add a unit of a stage, whose input is there, if it needs one.
    void AddUnit(uint32_t stage, const PipelineUnit& unit)
    {
        const uint32_t part = GetPart(stage, unit);
        if (NeedsInput(stage, unit))
        {
            const auto input = m_received.find({unit.isForward, part, unit.microbatch});
            std::copy(input->second.begin(),
                      input->second.end(),
                      m_input.begin() + m_stages[stage].firstRank);
            m_received.erase(input);
        }
        const bool isLast = !unit.isForward && unit.microbatch + 1 == m_step.nMicrobatches;
        for (const uint32_t layer : GetLayers(part, unit.isForward))
        {
            AddLayer(stage, layer, unit);
            if (isLast && m_step.overlaps)
            {
                ReduceGradients(stage, layer);
            }
        }
        if (part != (unit.isForward ? m_nParts - 1 : 0))
        {
            SendOn(stage, unit.isForward ? part + 1 : part - 1, unit);
        }
    }

    void AddLayer(uint32_t stage, uint32_t layer, const PipelineUnit& unit)
    {
        const std::string name = std::string(unit.isForward ? "forward" : "backward") +
                                 "/microbatch-" + std::to_string(unit.microbatch) + "/layer-" +
                                 std::to_string(layer);
        const auto exchange = [&](const char* what, const Sizes& sizes) {
            Collect(std::string(what) + name,
                    m_stages[stage].expert,
                    CollectiveKind::ALL_TO_ALL,
                    m_step.expert,
                    m_last,
                    nullptr,
                    sizes);
        };
        const uint64_t all = unit.isForward ? m_step.forwardNs : m_step.backwardNs;
        uint64_t attention = 0;
        for (const RankGroup& group : m_stages[stage].context)
        {
            attention = static_cast<uint64_t>(m_step.context.share * static_cast<double>(all));
            attention = std::min(attention, all); // a double has fewer digits
            Attend(*group, unit.isForward, attention);
        }
        exchange("expert-dispatch-", m_dispatch);
        Compute(stage, all - attention, unit.isForward ? m_forward : m_backward);
        exchange("expert-combine-", m_combine);
        for (uint32_t k = 0; k < m_step.nTensor; ++k)
        {
            Collect("tensor-" + name,
                    m_stages[stage].tensor,
                    CollectiveKind::ALL_REDUCE,
                    m_step.tensor,
                    m_last);
        }
    }

    /// Let the ranks of a context group attend to each other's keys and values.
    void Attend(const std::vector<uint32_t>& group, bool isForward, uint64_t nanoseconds)
    {
        const auto n = static_cast<uint32_t>(group.size());
        const uint32_t item = isForward ? m_forward : m_backward;
        std::vector<std::vector<uint32_t>> ready; // by member, what its next message waits for
        for (const uint32_t rank : group)
        {
            ready.push_back(After(m_last[rank], m_input[rank]));
        }
        std::vector<std::vector<uint32_t>> hasBlock = ready; // by member, its next computation
        for (uint32_t step = 0; step < n; ++step)
        {
            std::vector<uint32_t> received(n, NO_OPERATION);
            const bool isBoth = !isForward && step > 0 && step + 1 < n;
            for (uint32_t i = 0; i < n && (!isForward || step + 1 < n); ++i)
            {
                const uint32_t next = (i + (isForward ? 1 : n - 1)) % n;
                received[next] = m_plan
                                     .AddMessage(m_keys,
                                                 group[i],
                                                 group[next],
                                                 (isBoth ? 2 : 1) * m_step.context.bytes,
                                                 m_firstTag + 2,
                                                 ready[i],
                                                 ready[next])
                                     .second;
            }
            const uint64_t part = nanoseconds / n + (step < nanoseconds % n ? 1 : 0);
            for (uint32_t i = 0; i < n; ++i)
            {
                m_last[group[i]] = m_plan.GetProgram(group[i]).AddCompute(part, hasBlock[i], item);
                m_input[group[i]] = received[i];
                hasBlock[i] = After(m_last[group[i]], received[i]);
                // Gradients that are passed on have been added to
                ready[i] = isForward ? After(received[i], NO_OPERATION) : hasBlock[i];
            }
        }
    }

    void Compute(uint32_t stage, uint64_t nanoseconds, uint32_t item)
    {
        const uint32_t first = m_stages[stage].firstRank;
        for (uint32_t rank = first; rank < first + m_stages[stage].nRanks; ++rank)
        {
            m_last[rank] = m_plan.GetProgram(rank).AddCompute(nanoseconds,
                                                              After(m_last[rank], m_input[rank]),
                                                              item);
            m_input[rank] = NO_OPERATION;
        }
    }

    /// Add a collective in each group of a stage, after all before. last: by rank, the operation
    /// before, then this one; also: another one, or null; sizes: if they are not equal.
    void Collect(const std::string& name,
                 const RankGroups& groups,
                 CollectiveKind kind,
                 const TrainingCollective& collective,
                 std::vector<uint32_t>& last,
                 const std::vector<uint32_t>* also = nullptr,
                 const Sizes& sizes = nullptr)
    {
        for (const RankGroup& group : groups)
        {
            CollectiveScheduleSettings settings = collective;
            settings.kind = kind;
            settings.nMembers = static_cast<uint32_t>(group->size());
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
            const auto operations =
                m_plan.AddCollective(m_prefix + name + "/rank-" + std::to_string((*group)[0]),
                                     schedule,
                                     group,
                                     after);
            for (std::size_t i = 0; i < group->size(); ++i)
            {
                last[(*group)[i]] = operations[i];
            }
        }
    }

    /// Add the messages from a stage to the next part of the model in a direction.
    void SendOn(uint32_t from, uint32_t part, const PipelineUnit& unit)
    {
        const uint32_t to = part % m_step.pp;
        std::vector<uint32_t>& received = m_received[{unit.isForward, part, unit.microbatch}];
        for (uint32_t i = 0; i < m_stages[from].nRanks; ++i)
        {
            const uint32_t sender = m_stages[from].firstRank + i;
            received.push_back(m_plan
                                   .AddMessage(unit.isForward ? m_activations : m_gradients,
                                               sender,
                                               m_stages[to].firstRank + i,
                                               m_step.pipelineBytes,
                                               m_firstTag + (unit.isForward ? 0 : 1),
                                               After(m_last[sender], NO_OPERATION),
                                               {})
                                   .second);
        }
    }

    /// @return the part's layers in the order of the direction
    std::vector<uint32_t> GetLayers(uint32_t part, bool isForward) const
    {
        const uint32_t nLayers = m_step.nLayers / m_nParts;
        std::vector<uint32_t> layers(nLayers);
        std::iota(layers.begin(), layers.end(), part * nLayers);
        if (!isForward)
        {
            std::reverse(layers.begin(), layers.end());
        }
        return layers;
    }

    /// Add a collective of a layer's data in each group, and one of experts' data, if apart.
    void CollectData(uint32_t stage,
                     const std::string& name,
                     CollectiveKind kind,
                     std::vector<uint32_t>& last,
                     const std::vector<uint32_t>* also = nullptr)
    {
        Collect(name, m_stages[stage].data, kind, m_step.data, last, also);
        if (m_step.expertData)
        {
            Collect("expert-" + name,
                    m_stages[stage].expertData,
                    kind,
                    *m_step.expertData,
                    last,
                    also);
        }
    }

    void ReduceGradients(uint32_t stage, uint32_t layer)
    {
        const auto kind =
            m_step.isSharded ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE;
        CollectData(stage, "data/layer-" + std::to_string(layer), kind, m_lastData, &m_last);
    }

    /// Add what comes after the last microbatch. hasNext: whether a step waits for the gradients.
    void EndStep(uint32_t stage, bool hasNext)
    {
        for (uint32_t chunk = m_step.nChunks; chunk-- > 0 && !m_step.overlaps;)
        {
            for (const uint32_t layer : GetLayers(stage + m_step.pp * chunk, false))
            {
                ReduceGradients(stage, layer);
            }
        }
        if (m_step.optimizerNs > 0 || m_step.isSharded || hasNext)
        {
            const uint32_t first = m_stages[stage].firstRank;
            std::copy_n(m_lastData.begin() + first,
                        m_stages[stage].nRanks,
                        m_input.begin() + first);
            Compute(stage, m_step.optimizerNs, m_optimizer);
        }
        for (uint32_t chunk = 0; chunk < m_step.nChunks && m_step.isSharded; ++chunk)
        {
            for (const uint32_t layer : GetLayers(stage + m_step.pp * chunk, true))
            {
                CollectData(stage,
                            "parameters/layer-" + std::to_string(layer),
                            CollectiveKind::ALL_GATHER,
                            m_last);
            }
        }
    }

    /// @return the operations of these two that there are
    static std::vector<uint32_t> After(uint32_t first, uint32_t second)
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

    WorkloadPlan& m_plan;                //!< the plan
    const TrainingStep& m_step;          //!< the training step
    std::vector<TrainingStage> m_stages; //!< who communicates
    uint32_t m_nParts;                   //!< the parts of the model: chunks of all stages
    uint32_t m_forward;                  //!< the item of computations forward
    uint32_t m_backward;                 //!< the item of computations backward
    uint32_t m_optimizer;                //!< the item of the optimizer
    uint32_t m_activations;              //!< the item of messages between stages forward
    uint32_t m_gradients;                //!< the item of messages between stages backward
    uint32_t m_keys;                     //!< the item of messages between ranks of context groups
    uint32_t m_firstTag;                 //!< of the tags of these three
    Sizes m_dispatch;                    //!< of all-to-alls to experts, if they are not equal
    Sizes m_combine;                     //!< of all-to-alls back from experts
    std::vector<uint32_t> m_last;        //!< by rank, the last operation
    std::vector<uint32_t> m_input;       //!< by rank, the message that the next computation needs
    std::vector<uint32_t> m_lastData;    //!< by rank, the last reduction of gradients

    std::string m_prefix; //!< of the names of collectives

    /// What stages have to receive: by rank of the stage, the operation.
    std::map<Input, std::vector<uint32_t>> m_received;
};

} // namespace

void
AddTrainingStep(WorkloadPlan& plan, const TrainingStep& step, uint32_t nSteps)
{
    step.Check();
    AIDC_REQUIRE(step.GetNRanks() <= plan.GetNRanks(),
                 "the step has " + std::to_string(step.GetNRanks()) + " ranks, the plan " +
                     std::to_string(plan.GetNRanks()));
    TrainingStepPlanner(plan, step).Plan(nSteps);
}

} // namespace ns3::aidc
