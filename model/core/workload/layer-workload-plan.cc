// SPDX-License-Identifier: GPL-2.0-only

#include "layer-workload-plan.h"

#include "../require-argument.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Instead of the number of a rank's last operation: it has none.
constexpr uint32_t NO_LAST = std::numeric_limits<uint32_t>::max();

/// By rank, an operation or none.
using RankOperations = std::vector<uint32_t>;

/// Names of phases.
constexpr const char* PHASES[] = {"forward", "input-gradient", "weight-gradient"};

/// Makes a plan of a workload of layers.
class LayerPlanner
{
  public:
    LayerPlanner(const LayerWorkload& workload, const LayerWorkloadSettings& settings)
        : m_workload(workload),
          m_settings(settings),
          m_plan(workload.nRanks),
          m_after(workload.nRanks),
          m_weights(workload.layers.size())
    {
        for (const char* const phase : PHASES)
        {
            m_computations.push_back(m_plan.AddItem(phase));
        }
        m_update = m_plan.AddItem("update");
        for (std::size_t i = 1; i < m_groups.size(); ++i) // NOBODY has none
        {
            const auto form = GetLayerGroupForm(workload, static_cast<LayerRanks>(i));
            m_groups[i] = MakeRankGroups(0, workload.nRanks, form.count, form.distance);
        }
        if (m_workload.pp > 1)
        {
            m_stageItem = m_plan.AddItem("between-stages");
            m_stageTag = m_plan.TakeTags(2);
        }
        Reserve();
    }

    WorkloadPlan Make()
    {
        const std::size_t n = m_workload.layers.size();
        for (m_pass = 0; m_pass < m_settings.nPasses; ++m_pass)
        {
            if (m_workload.policy == LayerPolicy::MICRO)
            {
                for (std::size_t layer = 0; layer < (m_settings.allLayers ? n : 1); ++layer)
                {
                    Collect(layer, LayerPhaseKind::WEIGHT_GRADIENT);
                }
                continue;
            }
            Go(true, [this](std::size_t layer) { Forward(layer); });
            if (m_workload.isInference)
            {
                continue;
            }
            switch (m_workload.policy)
            {
            case LayerPolicy::DATA:
            case LayerPolicy::HYBRID_DLRM:
            case LayerPolicy::HYBRID_DLRM_ENHANCED:
                Go(false, [this](std::size_t layer) { BackwardData(layer); });
                break;
            case LayerPolicy::DISTRIBUTED_INFERENCE:
                break;
            default:
                Go(false, [this](std::size_t layer) { Backward(layer); });
            }
        }
        m_plan.Check();
        return std::move(m_plan);
    }

  private:
    const LayerPhase& GetPhase(std::size_t layer, LayerPhaseKind kind) const
    {
        return m_workload.layers[layer].Get(kind);
    }

    /// @return the groups that communicate; none if they would have one rank each
    const RankGroups& GetGroups(std::size_t layer, LayerPhaseKind kind) const
    {
        const auto ranks = GetLayerRanks(m_workload, layer, kind).value_or(LayerRanks::NOBODY);
        return m_groups[static_cast<std::size_t>(ranks)];
    }

    /// Let all that follows wait for something.
    void WaitFor(const RankOperations& operations)
    {
        for (std::size_t rank = 0; rank < operations.size(); ++rank)
        {
            auto& after = m_after[rank];
            if (operations[rank] != NO_LAST &&
                std::find(after.begin(), after.end(), operations[rank]) == after.end())
            {
                after.push_back(operations[rank]);
            }
        }
    }

    /// Let all that follows wait for what itself waits for all before.
    void Follow(const RankOperations& operations)
    {
        for (std::size_t rank = 0; rank < operations.size(); ++rank)
        {
            if (operations[rank] != NO_LAST)
            {
                m_after[rank] = {operations[rank]};
            }
        }
    }

    /// Compute a phase of a layer at each rank, after all before.
    void Compute(std::size_t layer, LayerPhaseKind kind)
    {
        const uint64_t nanoseconds = GetPhase(layer, kind).computeNs;
        for (uint32_t rank = 0; nanoseconds > 0 && rank < m_workload.nRanks; ++rank)
        {
            m_after[rank] = {
                m_plan.GetProgram(rank).AddCompute(nanoseconds,
                                                   m_after[rank],
                                                   m_computations[static_cast<std::size_t>(kind)])};
        }
    }

    /// Start the collectives of a phase, after all before. @return what ends when they have ended
    RankOperations Collect(std::size_t layer, LayerPhaseKind kind)
    {
        const WorkloadLayer& what = m_workload.layers[layer];
        const RankGroups& groups = GetGroups(layer, kind);
        if (groups.empty())
        {
            return {};
        }
        RankOperations ends(m_workload.nRanks, NO_LAST);
        WorkloadItem item;
        item.name = std::make_shared<const std::string>(
            PHASES[static_cast<std::size_t>(kind)] + ("/pass-" + std::to_string(m_pass)) +
            "/layer-" + std::to_string(layer) + "-" + what.name + "/rank-");
        const RankGroup* last = nullptr;
        for (const RankGroup& group : groups)
        {
            try
            {
                m_groupAfter.resize(std::max(m_groupAfter.size(), group->size()));
                for (std::size_t member = 0; member < group->size(); ++member)
                {
                    m_groupAfter[member] = m_after[(*group)[member]];
                }
                if (!last || !IsAlike(group, *last))
                {
                    item.collective = GetSchedule(GetPhase(layer, kind), kind, *group);
                }
                last = &group;
                item.number = (*group)[0];
                const auto parts = m_plan.AddCollective(item, group, m_groupAfter);
                for (std::size_t member = 0; member < group->size(); ++member)
                {
                    ends[(*group)[member]] = parts[member];
                }
            }
            catch (const std::invalid_argument& error)
            {
                throw std::invalid_argument("layer " + std::to_string(layer) + " \"" + what.name +
                                            "\", " + PHASES[static_cast<std::size_t>(kind)] + ": " +
                                            error.what());
            }
        }
        for (uint32_t rank = 0; what.updateNs > 0 && rank < m_workload.nRanks; ++rank)
        {
            if (ends[rank] != NO_LAST)
            {
                ends[rank] = m_plan.GetProgram(rank).AddCompute(what.updateNs,
                                                                {ends[rank]},
                                                                m_update,
                                                                RankProgram::NO_UNIT);
            }
        }
        return ends;
    }

    CollectiveSchedule GetSchedule(const LayerPhase& phase,
                                   LayerPhaseKind kind,
                                   const std::vector<uint32_t>& ranks) const
    {
        static constexpr uint64_t LEAST_FORWARD = 4096; // of SimAI
        const bool isSimAi = m_workload.format == LayerWorkloadFormat::SIMAI;
        uint64_t bytes = phase.bytes;
        if (isSimAi && kind == LayerPhaseKind::FORWARD &&
            m_workload.policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD)
        {
            bytes = std::max(bytes, LEAST_FORWARD);
        }
        CollectiveAlgorithm algorithm = m_settings.allToAll;
        switch (*phase.collective)
        {
        case CollectiveKind::ALL_REDUCE:
            algorithm = m_settings.allReduce;
            break;
        case CollectiveKind::REDUCE_SCATTER:
            algorithm = m_settings.reduceScatter;
            break;
        case CollectiveKind::ALL_GATHER:
            algorithm = m_settings.allGather;
            if (m_settings.gatherSize == GatherSize::CONTRIBUTION ||
                (m_settings.gatherSize == GatherSize::BY_FORMAT && !isSimAi))
            {
                AIDC_REQUIRE(bytes <= CollectiveSchedule::MAX_BYTES / ranks.size(),
                             "gathers more than 2^60 bytes");
                bytes *= ranks.size();
            }
            break;
        default:
            break;
        }
        return m_settings.MakeSchedule(*phase.collective, algorithm, ranks, bytes);
    }

    /// Let stages wait for the activation of the stage before, or the gradient of the stage behind.
    void ReceiveFromStage(bool isForward)
    {
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            if (uint32_t peer = 0; FindStage(rank, !isForward, peer))
            {
                m_after[rank] = {
                    m_plan.GetProgram(rank).AddReceive(peer,
                                                       m_workload.pipelineBytes,
                                                       m_stageTag + (isForward ? 0 : 1),
                                                       m_after[rank],
                                                       m_stageItem)};
            }
        }
    }

    /// Send an activation to the next stage, or a gradient to the stage before; none waits here.
    void SendToStage(bool isForward)
    {
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            if (uint32_t peer = 0; FindStage(rank, isForward, peer))
            {
                m_plan.GetProgram(rank).AddSend(peer,
                                                m_workload.pipelineBytes,
                                                m_stageTag + (isForward ? 0 : 1),
                                                m_after[rank],
                                                m_stageItem);
            }
        }
    }

    /// Find the rank of the stage behind, or before. @return whether there is one
    bool FindStage(uint32_t rank, bool isBehind, uint32_t& peer) const
    {
        const uint32_t stage = rank / m_workload.tp % m_workload.pp;
        peer = isBehind ? rank + m_workload.tp : rank - m_workload.tp;
        return isBehind ? stage + 1 < m_workload.pp : stage > 0;
    }

    /// Go forward or backward through all layers, with the messages between stages.
    void Go(bool isForward, const std::function<void(std::size_t)>& go)
    {
        const std::size_t n = m_workload.layers.size();
        const std::size_t first = m_workload.firstBlockLayer;
        const std::size_t length = m_workload.layersPerBlock;
        for (std::size_t i = 0; i < n; ++i)
        {
            const std::size_t layer = isForward ? i : n - 1 - i;
            const bool isOfBlock = m_workload.pp > 1 && layer >= first &&
                                   layer < first + m_workload.nMicrobatches * length;
            const std::size_t place = isOfBlock ? (layer - first) % length : 0;
            if (isOfBlock && place == (isForward ? 0 : length - 1))
            {
                ReceiveFromStage(isForward);
            }
            go(layer);
            if (isOfBlock && place == (isForward ? length - 1 : 0))
            {
                SendToStage(isForward);
            }
        }
    }

    void Forward(std::size_t layer)
    {
        WaitFor(m_weights[layer]);
        Compute(layer, LayerPhaseKind::FORWARD);
        if (!IsDlrm(m_workload.policy))
        {
            Follow(Collect(layer, LayerPhaseKind::FORWARD));
            return;
        }
        if (m_workload.layers[layer].forward.collective == CollectiveKind::ALL_TO_ALL)
        {
            const RankOperations ends = Collect(layer, LayerPhaseKind::FORWARD);
            m_embeddings = layer == 0 ? ends : m_embeddings;
        }
        else if (layer == m_workload.lastBottomLayer)
        {
            WaitFor(m_embeddings);
        }
    }

    /// Compute layers again, which a layer needs to go backward.
    void Recompute(std::size_t layer)
    {
        std::size_t first = layer - 1;
        while (!m_workload.layers[first].isCheckpoint)
        {
            --first;
        }
        for (; first < layer; ++first)
        {
            Forward(first);
        }
    }

    void Backward(std::size_t layer)
    {
        if (m_workload.policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD &&
            m_workload.layers[layer].recomputes)
        {
            Recompute(layer);
        }
        Compute(layer, LayerPhaseKind::INPUT_GRADIENT);
        RankOperations ends;
        if (layer > 0 || IsTransformer(m_workload.policy))
        {
            ends = Collect(layer, LayerPhaseKind::INPUT_GRADIENT);
        }
        if (m_workload.format == LayerWorkloadFormat::SIMAI && IsTransformer(m_workload.policy))
        {
            Follow(ends);
            ends.clear();
        }
        Compute(layer, LayerPhaseKind::WEIGHT_GRADIENT);
        m_weights[layer] = Collect(layer, LayerPhaseKind::WEIGHT_GRADIENT);
        WaitFor(ends);
    }

    /// Go backward with weight gradients first.
    void BackwardData(std::size_t layer)
    {
        Compute(layer, LayerPhaseKind::WEIGHT_GRADIENT);
        m_weights[layer] = Collect(layer, LayerPhaseKind::WEIGHT_GRADIENT);
        if (layer > 0)
        {
            Compute(layer, LayerPhaseKind::INPUT_GRADIENT);
        }
        if (!IsDlrm(m_workload.policy))
        {
            return;
        }
        if (layer == std::size_t{m_workload.lastBottomLayer} + 1)
        {
            m_embeddingGradients = Collect(0, LayerPhaseKind::INPUT_GRADIENT);
        }
        if (layer == 0 && m_workload.policy == LayerPolicy::HYBRID_DLRM)
        {
            WaitFor(m_embeddingGradients);
        }
    }

    /// Take memory for the operations of all ranks, of which there may be 100 million.
    void Reserve()
    {
        std::size_t nComputations = 0;
        std::size_t nCollectives = 0;
        std::size_t nUpdates = 0;
        bool recomputes = false;
        for (std::size_t layer = 0; layer < m_workload.layers.size(); ++layer)
        {
            recomputes = recomputes || m_workload.layers[layer].recomputes;
            for (const auto kind : {LayerPhaseKind::FORWARD,
                                    LayerPhaseKind::INPUT_GRADIENT,
                                    LayerPhaseKind::WEIGHT_GRADIENT})
            {
                const bool communicates = !GetGroups(layer, kind).empty();
                nComputations += GetPhase(layer, kind).computeNs > 0 ? 1 : 0;
                nCollectives += communicates ? 1 : 0;
                nUpdates += communicates && m_workload.layers[layer].updateNs > 0 ? 1 : 0;
            }
        }
        // What goes forward again is at most as much. Operations wait for weights in addition to
        // what comes before
        const std::size_t factor = std::size_t{m_settings.nPasses} * (recomputes ? 2 : 1);
        const std::size_t nMessages =
            m_workload.pp > 1 ? std::size_t{4} * m_settings.nPasses * m_workload.nMicrobatches : 0;
        const std::size_t nOperations =
            factor * (nComputations + nCollectives + nUpdates) + nMessages;
        constexpr std::size_t MAX = 1 << 20;
        for (uint32_t rank = 0; rank < m_workload.nRanks && nOperations < MAX; ++rank)
        {
            m_plan.GetProgram(rank).Reserve(nOperations,
                                            nOperations + 2 * factor * nCollectives,
                                            factor * nCollectives);
        }
    }

    /// @return whether its ranks are at the same places in servers, so that collectives are alike
    bool IsAlike(const RankGroup& group, const RankGroup& other) const
    {
        if (group->size() != other->size() ||
            (*group)[0] % m_settings.nPerServer != (*other)[0] % m_settings.nPerServer)
        {
            return false;
        }
        for (std::size_t i = 1; i < group->size(); ++i)
        {
            if ((*group)[i] - (*group)[0] != (*other)[i] - (*other)[0])
            {
                return false;
            }
        }
        return true;
    }

    const LayerWorkload& m_workload;         //!< the workload
    const LayerWorkloadSettings& m_settings; //!< how it is executed
    WorkloadPlan m_plan;                     //!< the plan
    std::array<RankGroups, 6> m_groups;      //!< by LayerRanks
    std::vector<uint32_t> m_computations;    //!< by phase, their item
    uint32_t m_update;                       //!< the item of update times
    uint32_t m_stageItem{0};                 //!< the item of messages between stages
    uint32_t m_stageTag{0};                  //!< their first tag, of activations
    uint32_t m_pass{0};                      //!< the current pass

    /// By rank, what the next operation waits for.
    std::vector<std::vector<uint32_t>> m_after;
    std::vector<std::vector<uint32_t>> m_groupAfter; //!< the same by member of a group
    std::vector<RankOperations> m_weights; //!< by layer, its last weight-gradient collective
    RankOperations m_embeddings;           //!< forward collective of the embeddings
    RankOperations m_embeddingGradients;   //!< input-gradient collective of the embeddings
};

} // namespace

WorkloadPlan
MakeLayerWorkloadPlan(const LayerWorkload& workload, const LayerWorkloadSettings& settings)
{
    return LayerPlanner(workload, settings).Make();
}

} // namespace ns3::aidc
