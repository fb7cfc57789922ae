/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-workload-header.h"

#include "collective-schedule.h"
#include "text-error.h"
#include "workload-plan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Keys that only SimAI has.
const std::array<std::string, 9> ONLY_SIMAI{"ep:",
                                            "pp:",
                                            "vpp:",
                                            "ga:",
                                            "all_gpus:",
                                            "pp_comm",
                                            "pp_comm:",
                                            "expert_parallel_npu_group:",
                                            "DLRM_LAST_BOTTOM_LAYER:"};

/// Reads the header of a workload of layers.
class HeaderReader
{
  public:
    /// @param words the words
    /// @param settings how it is read
    HeaderReader(WordReader& words, const LayerWorkloadSettings& settings)
        : m_words(words),
          m_settings(settings)
    {
    }

    /// @param text the text
    /// @return the header
    LayerWorkloadHeader Read(const std::string& text);

  private:
    /// Choose the format, if it is to be guessed.
    /// @param text the text
    void ChooseFormat(const std::string& text);

    /// Read a list of layers, behind its name.
    /// @param what what the list is
    /// @param list where it goes
    void ReadList(const std::string& what, LayerList& list);

    /// Read the number behind a key.
    /// @param key the key
    /// @param min the least one allowed
    /// @param max the greatest one allowed
    /// @return the number
    uint64_t ReadNumber(const TextWord& key, uint64_t min, uint64_t max);

    /// Read a key of SimAI and what belongs to it.
    /// @param key the key
    void ReadKey(const TextWord& key);

    /// Read the header of SimAI, behind the policy.
    /// @param line its line
    void ReadKeys(uint32_t line);

    /// Read the header of ASTRA-sim, behind the policy.
    void ReadPositions();

    /// Choose the number of ranks and of neighbors.
    void ChooseSizes();

    /// Check that sizes divide the number of ranks.
    void CheckSizes() const;

    WordReader& m_words;                     //!< the words
    const LayerWorkloadSettings& m_settings; //!< how it is read
    LayerWorkloadHeader m_header;            //!< the header
};

void
HeaderReader::ChooseFormat(const std::string& text)
{
    m_header.format = m_settings.format;
    if (m_settings.format != LayerWorkloadFormat::GUESS)
    {
        return;
    }
    WordReader words(text);
    for (words.Next(); words.HasMoreInLine(); words.Next())
    {
        if (std::find(ONLY_SIMAI.begin(), ONLY_SIMAI.end(), words.Peek().text) != ONLY_SIMAI.end())
        {
            m_header.format = LayerWorkloadFormat::SIMAI;
            return;
        }
    }
    m_header.format = LayerWorkloadFormat::ASTRA_SIM;
    m_header.isGuess = true;
}

void
HeaderReader::ReadList(const std::string& what, LayerList& list)
{
    list.line = m_words.Peek().line;
    list.layers.clear();
    uint64_t n = m_words.RequireNumber("the number of " + what, 0, UINT32_MAX);
    for (; n > 0; --n)
    {
        list.layers.push_back(
            static_cast<uint32_t>(m_words.RequireNumber("a layer of the " + what, 0, UINT32_MAX)));
    }
}

uint64_t
HeaderReader::ReadNumber(const TextWord& key, uint64_t min, uint64_t max)
{
    const std::string what = "a number behind \"" + key.text + "\"";
    if (!m_words.HasMoreInLine())
    {
        throw TextError(key.line, what, "end of line");
    }
    // AICB writes pp_comm as 6291456.0 with sequence parallelism
    return m_words.RequireNumber(what, min, max, key.text.compare(0, 7, "pp_comm") == 0);
}

void
HeaderReader::ReadKey(const TextWord& key)
{
    const bool isTransformer = IsTransformer(m_header.policy);
    const auto readSize = [this, &key] {
        return static_cast<uint32_t>(ReadNumber(key, 1, WorkloadPlan::MAX_RANKS));
    };
    if (key.text == "model_parallel_NPU_group:")
    {
        const uint32_t tp = readSize();
        m_header.tp = isTransformer ? tp : 1;
    }
    else if (key.text == "ep:")
    {
        const uint32_t ep = readSize();
        m_header.ep = isTransformer ? ep : 1;
    }
    else if (key.text == "pp:")
    {
        const uint32_t pp = readSize();
        m_header.pp = isTransformer ? pp : 1;
    }
    else if (key.text == "all_gpus:")
    {
        m_header.nRanks = readSize();
    }
    else if (key.text == "vpp:" || key.text == "ga:")
    {
        ReadNumber(key, 0, UINT32_MAX); // of estimates in SimAI's report
    }
    else if (key.text == "pp_comm" || key.text == "pp_comm:")
    {
        m_header.pipelineBytes = ReadNumber(key, 0, CollectiveSchedule::MAX_BYTES);
    }
    else if (key.text == "DLRM_LAST_BOTTOM_LAYER:")
    {
        m_header.lastBottomLine = key.line;
        m_header.lastBottomLayer = static_cast<uint32_t>(ReadNumber(key, 0, UINT32_MAX));
    }
    else if (key.text == "checkpoints:")
    {
        ReadList("checkpoints", m_header.checkpoints);
    }
    else if (key.text == "checkpoint_initiates:")
    {
        ReadList("checkpoint_initiates", m_header.initiates);
    }
}

void
HeaderReader::ReadKeys(uint32_t line)
{
    while (m_words.HasMoreInLine())
    {
        ReadKey(m_words.Next());
    }
    if (m_words.Peek().isThere && m_words.Peek().line != line + 1)
    {
        throw TextError(line + 1, "the number of layers", "");
    }
}

void
HeaderReader::ReadPositions()
{
    if (IsTransformer(m_header.policy))
    {
        m_words.Require("a label of the tensor-parallel size");
        m_header.tp = static_cast<uint32_t>(
            m_words.RequireNumber("the tensor-parallel size", 1, WorkloadPlan::MAX_RANKS));
    }
    if (m_header.policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD)
    {
        m_words.Require("a label of checkpoints");
        ReadList("checkpoints", m_header.checkpoints);
        m_words.Require("a label of checkpoint_initiates");
        ReadList("checkpoint_initiates", m_header.initiates);
    }
    if (IsDlrm(m_header.policy))
    {
        m_header.lastBottomLine = m_words.Peek().line;
        m_header.lastBottomLayer =
            static_cast<uint32_t>(m_words.RequireNumber("the last bottom layer", 0, UINT32_MAX));
    }
}

void
HeaderReader::ChooseSizes()
{
    uint32_t& nRanks = m_header.nRanks;
    if (nRanks != 0 && m_settings.nRanks != 0 && nRanks != m_settings.nRanks)
    {
        throw TextError(1,
                        "all_gpus: " + std::to_string(m_settings.nRanks) +
                            ", the number of ranks that was chosen",
                        std::to_string(nRanks));
    }
    nRanks = nRanks != 0 ? nRanks : m_settings.nRanks;
    if (nRanks == 0 || nRanks > WorkloadPlan::MAX_RANKS)
    {
        throw TextError(1,
                        "a number of ranks from 1 to " + std::to_string(WorkloadPlan::MAX_RANKS) +
                            " by " + m_settings.ranksName + ", as the file has no all_gpus",
                        nRanks == 0 ? "none" : std::to_string(nRanks));
    }
    const bool hasNeighbors = m_header.policy == LayerPolicy::HYBRID_CUSTOMIZED ||
                              m_header.policy == LayerPolicy::HYBRID_DATA_MODEL ||
                              m_header.policy == LayerPolicy::HYBRID_MODEL_DATA;
    if (hasNeighbors)
    {
        m_header.tp = m_settings.nNeighbors;
        if (m_header.tp == 0 || nRanks % m_header.tp != 0)
        {
            throw TextError(1,
                            std::string("for ") + GetLayerPolicyName(m_header.policy) +
                                ", a number of neighbors by " + m_settings.neighborsName +
                                " that divides the " + std::to_string(nRanks) + " ranks",
                            m_header.tp == 0 ? "none" : std::to_string(m_header.tp));
        }
    }
}

void
HeaderReader::CheckSizes() const
{
    const uint64_t model = uint64_t{m_header.tp} * m_header.pp;
    if (m_header.nRanks % model != 0)
    {
        throw TextError(1,
                        "tensor-parallel size times stages to divide the " +
                            std::to_string(m_header.nRanks) + " ranks",
                        std::to_string(m_header.tp) + " x " + std::to_string(m_header.pp));
    }
    const uint64_t dp = m_header.nRanks / model;
    if (dp % m_header.ep != 0)
    {
        throw TextError(1,
                        "ep: a number that divides the " + std::to_string(dp) +
                            " ranks of a data-parallel group",
                        std::to_string(m_header.ep));
    }
}

LayerWorkloadHeader
HeaderReader::Read(const std::string& text)
{
    const std::string expected =
        "a workload of SimAI or ASTRA-sim, whose first word is " + ListLayerPolicies();
    const TextWord policy = m_words.Require(expected);
    if (!ParseLayerPolicy(policy.text, m_header.policy))
    {
        throw TextError(policy.line, expected, policy.text);
    }
    ChooseFormat(text);
    if (m_header.format == LayerWorkloadFormat::SIMAI)
    {
        ReadKeys(policy.line);
    }
    else
    {
        ReadPositions();
    }
    m_header.nLayers =
        static_cast<uint32_t>(m_words.RequireNumber("the number of layers", 1, UINT32_MAX));
    if (m_words.HasMoreInLine())
    {
        throw TextError(m_words.Peek().line,
                        "the end of the line behind the number of layers",
                        m_words.Peek().text);
    }
    ChooseSizes();
    CheckSizes();
    return std::move(m_header);
}

} // namespace

LayerWorkloadHeader
ReadLayerWorkloadHeader(const std::string& text,
                        WordReader& words,
                        const LayerWorkloadSettings& settings)
{
    return HeaderReader(words, settings).Read(text);
}

} // namespace ns3::aidc
