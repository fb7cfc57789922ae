/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-workload.h"

#include "collective-schedule.h"
#include "layer-groups.h"
#include "layer-workload-header.h"
#include "number-text.h"
#include "printable-name.h"
#include "text-error.h"
#include "word-reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Collectives by name.
const std::array<std::pair<const char*, CollectiveKind>, 4> KINDS{
    {{"ALLREDUCE", CollectiveKind::ALL_REDUCE},
     {"ALLTOALL", CollectiveKind::ALL_TO_ALL},
     {"ALLGATHER", CollectiveKind::ALL_GATHER},
     {"REDUCESCATTER", CollectiveKind::REDUCE_SCATTER}}};

/// Names of columns, for errors.
const std::array<const char*, 13> COLUMNS{"name",
                                          "dependency",
                                          "forward compute time",
                                          "forward communication type",
                                          "forward communication size",
                                          "input-gradient compute time",
                                          "input-gradient communication type",
                                          "input-gradient communication size",
                                          "weight-gradient compute time",
                                          "weight-gradient communication type",
                                          "weight-gradient communication size",
                                          "update time",
                                          "policy"};

/// The greatest time in nanoseconds, about 30 years.
constexpr uint64_t MAX_NS = 1'000'000'000'000'000'000;

/// Reads a workload of layers.
class LayerWorkloadReader
{
  public:
    LayerWorkloadReader(const std::string& text, const LayerWorkloadSettings& settings)
        : m_words(text),
          m_settings(settings),
          m_header(ReadLayerWorkloadHeader(text, m_words, settings))
    {
    }

    LayerWorkload Read()
    {
        ReadLayers();
        MarkLayers();
        m_workload.format = m_header.format;
        m_workload.policy = m_header.policy;
        m_workload.nRanks = m_header.nRanks;
        m_workload.tp = m_header.tp;
        m_workload.pp = m_header.pp;
        m_workload.ep = m_header.ep;
        m_workload.lastBottomLayer = m_header.lastBottomLayer;
        m_workload.pipelineBytes = m_header.pipelineBytes;
        m_workload.isInference = m_header.isInference;
        FindBlocks();
        AddNotes();
        return std::move(m_workload);
    }

  private:
    void ReadLayers()
    {
        while (m_workload.layers.size() < m_header.nLayers)
        {
            if (!m_words.Peek().isThere)
            {
                throw TextError(m_words.Peek().line,
                                std::to_string(m_header.nLayers) + " layers, as announced",
                                std::to_string(m_workload.layers.size()) + " layers");
            }
            WorkloadLayer layer;
            layer.name = GetPrintableName(m_words.Next().text);
            ReadLayer(layer);
            m_workload.layers.push_back(std::move(layer));
        }
        if (m_words.Peek().isThere)
        {
            m_workload.notes.push_back("what follows the " + std::to_string(m_header.nLayers) +
                                       " announced layers, from line " +
                                       std::to_string(m_words.Peek().line) + " on, is not used");
        }
    }

    /// @param layer where the layer goes, whose name has been read
    void ReadLayer(WorkloadLayer& layer)
    {
        const std::string expected = Name(layer, 1) + ", an integer";
        const TextWord dependency = m_words.Require(expected);
        uint64_t unused = 0;
        if (!ParseUnsigned(dependency.text.substr(dependency.text[0] == '-' ? 1 : 0), unused))
        {
            throw TextError(dependency.line, expected, dependency.text);
        }
        ReadPhase(layer, 2, layer.forward);
        ReadPhase(layer, 5, layer.inputGradient);
        ReadPhase(layer, 8, layer.weightGradient);
        layer.updateNs = m_words.RequireNumber(Name(layer, 11), 0, MAX_NS);
        const bool isCustomized = m_header.policy == LayerPolicy::HYBRID_CUSTOMIZED;
        if (isCustomized)
        {
            ReadPolicy(layer);
        }
        if (m_words.HasMoreInLine())
        {
            throw TextError(m_words.Peek().line,
                            std::string(isCustomized ? "13" : "12") + " columns of " + Name(layer),
                            m_words.Peek().text);
        }
    }

    /// Read the layer's own policy.
    void ReadPolicy(WorkloadLayer& layer)
    {
        const std::string expected =
            Name(layer, 12) + ", which is DATA, MODEL, HYBRID_DLRM, HYBRID_DLRM_ENHANCED, " +
            "HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, MICRO or DISTRIBUTED_INFERENCE";
        const TextWord word = m_words.Require(expected);
        if (!ParseLayerPolicy(word.text, layer.policy) || IsTransformer(layer.policy) ||
            layer.policy == LayerPolicy::HYBRID_CUSTOMIZED)
        {
            throw TextError(word.line, expected, word.text);
        }
    }

    void ReadPhase(const WorkloadLayer& layer, std::size_t column, LayerPhase& phase)
    {
        phase.computeNs = m_words.RequireNumber(Name(layer, column), 0, MAX_NS);
        ReadType(layer, column + 1, phase);
        phase.bytes =
            m_words.RequireNumber(Name(layer, column + 2), 0, CollectiveSchedule::MAX_BYTES);
    }

    /// Read the type of a collective.
    void ReadType(const WorkloadLayer& layer, std::size_t column, LayerPhase& phase)
    {
        const bool isSimAi = m_header.format == LayerWorkloadFormat::SIMAI;
        const std::string expected =
            Name(layer, column) +
            ", which is NONE, ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER" +
            (isSimAi ? ", or one of the last four with _EP or _DP_EP"
                     : " (with _EP or _DP_EP in the format of SimAI)");
        const TextWord word = m_words.Require(expected);
        if (word.text == "NONE")
        {
            return;
        }
        if (word.text == "BROADCAST")
        {
            ++m_nBroadcasts;
            return;
        }
        for (const auto& [name, kind] : KINDS)
        {
            const std::string base = name;
            const std::string suffix =
                word.text.compare(0, base.size(), base) == 0 ? word.text.substr(base.size()) : "?";
            if (suffix.empty() || (isSimAi && (suffix == "_EP" || suffix == "_DP_EP")))
            {
                phase.collective = kind;
                phase.group = suffix.empty()    ? LayerGroup::BY_POLICY
                              : suffix == "_EP" ? LayerGroup::EXPERT
                                                : LayerGroup::DATA_EXPERT;
                return;
            }
        }
        if (!m_settings.ignoresUnknown)
        {
            throw TextError(word.line, expected, word.text);
        }
        ++m_nUnknown;
    }

    /// @return its name for errors
    std::string Name(const WorkloadLayer& layer) const
    {
        return "layer " + std::to_string(m_workload.layers.size()) + " \"" + layer.name + "\"";
    }

    /// @return the column's name for errors
    std::string Name(const WorkloadLayer& layer, std::size_t column) const
    {
        return std::string("the ") + COLUMNS[column] + " (column " + std::to_string(column + 1) +
               ") of " + Name(layer);
    }

    /// Mark layers as checkpoints, and as those for which others are computed again.
    void MarkLayers()
    {
        auto& layers = m_workload.layers;
        const std::size_t last = layers.size() - 1;
        const auto require = [last](uint32_t line, const std::string& what, uint32_t layer) {
            if (layer > last)
            {
                throw TextError(line,
                                what + " from 0 to " + std::to_string(last),
                                std::to_string(layer));
            }
        };
        std::size_t first = layers.size();
        for (const uint32_t layer : m_header.checkpoints.layers)
        {
            require(m_header.checkpoints.line, "checkpoints", layer);
            layers[layer].isCheckpoint = true;
            first = std::min<std::size_t>(first, layer);
        }
        for (const uint32_t layer : m_header.initiates.layers)
        {
            require(m_header.initiates.line, "checkpoint_initiates", layer);
            layers[layer].recomputes = true;
            if (layer <= first)
            {
                throw TextError(m_header.initiates.line,
                                "a checkpoint before each layer of checkpoint_initiates",
                                std::to_string(layer));
            }
        }
        if (IsDlrm(m_header.policy))
        {
            require(m_header.lastBottomLine, "a last bottom layer", m_header.lastBottomLayer);
        }
    }

    /// @return whether the meaning of sizes, or the order, depends on the format
    bool DependsOnFormat() const
    {
        const auto isGather = [](const LayerPhase& phase) {
            return phase.collective == CollectiveKind::ALL_GATHER;
        };
        const bool gathers =
            std::any_of(m_workload.layers.begin(), m_workload.layers.end(), [&](const auto& layer) {
                return isGather(layer.forward) || isGather(layer.inputGradient) ||
                       isGather(layer.weightGradient);
            });
        return IsTransformer(m_header.policy) ||
               (gathers && m_settings.gatherSize == GatherSize::BY_FORMAT);
    }

    /// Find the layers of each microbatch, which stand one after another.
    void FindBlocks()
    {
        const auto& layers = m_workload.layers;
        const std::size_t n = layers.size();
        const std::size_t m = m_header.nMicrobatches;
        m_workload.layersPerBlock = static_cast<uint32_t>(n);
        constexpr std::size_t MAX_STEPS = 1'000'000'000;
        if (m_header.pp == 1 || m == 1 || n / m > MAX_STEPS / n)
        {
            return;
        }
        // The longest sequence of names that stands there m times
        for (std::size_t length = n / m; length > 0; --length)
        {
            std::size_t nEqual = 0;
            for (std::size_t i = 0; i + length < n; ++i)
            {
                nEqual = layers[i].name == layers[i + length].name ? nEqual + 1 : 0;
                if (nEqual == (m - 1) * length)
                {
                    m_workload.nMicrobatches = m_header.nMicrobatches;
                    m_workload.firstBlockLayer = static_cast<uint32_t>(i + 1 - nEqual);
                    m_workload.layersPerBlock = static_cast<uint32_t>(length);
                    return;
                }
            }
        }
    }

    /// Tell what is sent between stages.
    void AddNotesOnPipeline()
    {
        auto& notes = m_workload.notes;
        if (m_header.pp == 1)
        {
            if (m_header.pipelineBytes > 0)
            {
                notes.emplace_back("pp_comm has no effect, as there is one stage");
            }
            return;
        }
        if (m_header.pipelineBytes == 0)
        {
            notes.emplace_back("pp_comm tells no bytes, so messages between stages have none");
        }
        if (m_workload.nMicrobatches < m_header.nMicrobatches)
        {
            notes.push_back("no sequence of layers stands there " +
                            std::to_string(m_header.nMicrobatches) +
                            " times (ga); all layers are one microbatch");
        }
    }

    /// Tell what the text does not make plain.
    void AddNotes()
    {
        auto& notes = m_workload.notes;
        if (m_header.isGuess && DependsOnFormat())
        {
            notes.emplace_back(
                "the header may be SimAI's or ASTRA-sim's; it is read as ASTRA-sim's "
                "unless the format of SimAI is chosen");
        }
        if (m_header.isOldAicb && DependsOnFormat())
        {
            notes.emplace_back("the text is known as AICB's by its header or layers, and read as "
                               "SimAI's unless the format of ASTRA-sim is chosen");
        }
        if (m_nBroadcasts > 0)
        {
            notes.push_back(
                std::to_string(m_nBroadcasts) +
                " collectives of type BROADCAST are left out, as in SimAI and ASTRA-sim");
        }
        if (m_nUnknown > 0)
        {
            notes.push_back(std::to_string(m_nUnknown) +
                            " collectives of unknown types are left out");
        }
        if (!m_header.unused.empty())
        {
            std::string keys;
            for (const std::string& key : m_header.unused)
            {
                keys += (keys.empty() ? "" : ", ") + key;
            }
            notes.push_back("the header has keys that are not used: " + keys);
        }
        AddNotesOnGroups();
        AddNotesOnPipeline();
        if (m_header.policy == LayerPolicy::MICRO && !m_settings.allLayers &&
            m_workload.layers.size() > 1)
        {
            notes.push_back("of " + std::to_string(m_workload.layers.size()) +
                            " layers, only the first one communicates, as in SimAI and ASTRA-sim, "
                            "unless all layers are chosen");
        }
    }

    /// Tell which collectives and sizes have no effect.
    void AddNotesOnGroups()
    {
        std::size_t nOfNobody = 0;
        std::size_t nAlone = 0;
        std::size_t nExpert = 0;
        std::set<LayerRanks> used;
        for (std::size_t layer = 0; layer < m_workload.layers.size(); ++layer)
        {
            for (const auto kind : {LayerPhaseKind::FORWARD,
                                    LayerPhaseKind::INPUT_GRADIENT,
                                    LayerPhaseKind::WEIGHT_GRADIENT})
            {
                const LayerPhase& phase = GetLayerPhase(m_workload.layers[layer], kind);
                if (!phase.collective || phase.bytes == 0)
                {
                    continue;
                }
                const LayerRanks ranks = GetLayerRanks(m_workload, layer, kind);
                used.insert(ranks);
                nOfNobody += ranks == LayerRanks::NOBODY ? 1 : 0;
                const bool isAlone = GetLayerGroupSize(m_workload, ranks) == 1;
                const bool isExpert = ranks == LayerRanks::EXPERT;
                nExpert += isAlone && isExpert && !IsTransformer(m_workload.policy) ? 1 : 0;
                nAlone += isAlone ? 1 : 0;
            }
        }
        if (!m_header.hasTp && IsTransformer(m_workload.policy) && !used.empty())
        {
            throw TextError(1,
                            "the tensor-parallel size in the header, behind "
                            "\"model_parallel_NPU_group:\", as there are collectives",
                            "none");
        }
        auto& notes = m_workload.notes;
        if (nOfNobody > 0)
        {
            notes.push_back(
                std::to_string(nOfNobody) +
                " collectives are left out, as in SimAI and ASTRA-sim, in phases in which "
                "no ranks communicate by the policy");
        }
        if (nExpert > 0)
        {
            notes.push_back(
                std::to_string(nExpert) +
                " collectives with _EP are left out, as SimAI has groups of experts for "
                "transformers only");
        }
        if (nAlone > nExpert)
        {
            notes.push_back(std::to_string(nAlone - nExpert) +
                            " collectives of groups of one rank send nothing");
        }
        if (m_workload.ep > 1 && used.count(LayerRanks::EXPERT) == 0 &&
            used.count(LayerRanks::DATA_EXPERT) == 0)
        {
            notes.push_back("ep: " + std::to_string(m_workload.ep) +
                            " has no effect, as no collective has _EP or _DP_EP");
        }
        if (IsTransformer(m_workload.policy) && m_workload.tp > 1 &&
            used.count(LayerRanks::NEIGHBORS) == 0)
        {
            notes.push_back("no tensor-parallel group of " + std::to_string(m_workload.tp) +
                            " ranks communicates");
        }
    }

    WordReader m_words;                      //!< the words
    const LayerWorkloadSettings& m_settings; //!< how it is read
    LayerWorkloadHeader m_header;            //!< what stands before the layers
    LayerWorkload m_workload;                //!< the workload
    uint32_t m_nBroadcasts{0};               //!< collectives that the simulators leave out
    uint32_t m_nUnknown{0};                  //!< collectives that nobody knows
};

} // namespace

LayerWorkload
ParseLayerWorkload(const std::string& text, const LayerWorkloadSettings& settings)
{
    return LayerWorkloadReader(text, settings).Read();
}

} // namespace ns3::aidc
