/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-workload-header.h"

#include "collective-schedule.h"
#include "printable-name.h"
#include "text-error.h"
#include "workload-plan.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// What a key of SimAI's header is.
enum class Key : uint8_t
{
    TP,             //!< the tensor-parallel size
    EP,             //!< ranks of an expert group
    PP,             //!< stages of the pipeline
    DP,             //!< the data-parallel size, which the others tell
    RANKS,          //!< the number of ranks
    CHUNKS,         //!< chunks of a stage
    MICROBATCHES,   //!< microbatches
    PIPELINE_BYTES, //!< bytes of an activation between stages
    LAST_BOTTOM,    //!< the last bottom layer
    CHECKPOINTS,    //!< a list
    INITIATES,      //!< a list
    MODE,           //!< whether it goes forward only
};

/// Keys of SimAI's header, in lower case and without the colon: its own, those that former versions
/// of AICB wrote, and the options of AICB and Megatron that people write in their place.
const std::map<std::string, Key> KEYS{{"model_parallel_npu_group", Key::TP},
                                      {"tensor_model_parallel_size", Key::TP},
                                      {"tp", Key::TP},
                                      {"ep", Key::EP},
                                      {"expert_parallel_npu_group", Key::EP},
                                      {"expert_model_parallel_size", Key::EP},
                                      {"pp", Key::PP},
                                      {"pipeline_model_parallel", Key::PP},
                                      {"pipeline_model_parallel_size", Key::PP},
                                      {"dp", Key::DP},
                                      {"all_gpus", Key::RANKS},
                                      {"world_size", Key::RANKS},
                                      {"vpp", Key::CHUNKS},
                                      {"ga", Key::MICROBATCHES},
                                      {"pp_comm", Key::PIPELINE_BYTES},
                                      {"dlrm_last_bottom_layer", Key::LAST_BOTTOM},
                                      {"checkpoints", Key::CHECKPOINTS},
                                      {"checkpoint_initiates", Key::INITIATES},
                                      {"mode", Key::MODE}};

/// @return the name of a key: in lower case, without the colon after it
std::string
GetKeyName(std::string word)
{
    if (!word.empty() && word.back() == ':')
    {
        word.pop_back();
    }
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return word;
}

/// Tell whether a word is a key of a header that only SimAI's has. ASTRA-sim's has labels in the
/// place of the first size and of both lists, which are SimAI's keys in its own files.
bool
IsKeyOfSimAi(const std::string& word)
{
    const std::string name = GetKeyName(word);
    const auto found = KEYS.find(name);
    return found != KEYS.end() && (word.back() == ':' || name == "pp_comm") &&
           name != "model_parallel_npu_group" && name != "checkpoints" &&
           name != "checkpoint_initiates";
}

/// @return whether it may divide ranks into groups, such as cp, ep_size or context_parallel_size
bool
MayDivideRanks(const std::string& name)
{
    const std::string begin = name.substr(0, name.find_first_of("_-"));
    return name.find("parallel") != std::string::npos || name.find("group") != std::string::npos ||
           (begin.size() >= 2 && begin.size() <= 4 && begin.back() == 'p' && begin != "sp");
}

/// Reads the header of a workload of layers.
class HeaderReader
{
  public:
    HeaderReader(WordReader& words, const LayerWorkloadSettings& settings)
        : m_words(words),
          m_settings(settings)
    {
    }

    LayerWorkloadHeader Read(const std::string& text)
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

  private:
    /// Choose the format, if it is to be guessed.
    void ChooseFormat(const std::string& text)
    {
        m_header.format = m_settings.format;
        if (m_settings.format != LayerWorkloadFormat::GUESS)
        {
            return;
        }
        WordReader words(text);
        std::vector<std::string> header;
        for (words.Next(); words.HasMoreInLine();)
        {
            header.push_back(words.Next().text);
            if (IsKeyOfSimAi(header.back()))
            {
                m_header.format = LayerWorkloadFormat::SIMAI;
                return;
            }
        }
        m_header.isOldAicb = IsOfOldAicb(header, words);
        m_header.isGuess = !m_header.isOldAicb;
        m_header.format =
            m_header.isGuess ? LayerWorkloadFormat::ASTRA_SIM : LayerWorkloadFormat::SIMAI;
    }

    /// @return whether early versions of AICB have written it, for SimAI
    bool IsOfOldAicb(const std::vector<std::string>& header, WordReader& words) const
    {
        // AICB writes this policy always, with empty lists of checkpoints; in ASTRA-sim it is that
        // of models that have some
        if (m_header.policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD && header.size() == 6 &&
            header[3] == "0" && header[5] == "0")
        {
            return true;
        }
        // Names and types that AICB writes and ASTRA-sim 1.0 does not know
        while (words.Peek().isThere)
        {
            const std::string word = words.Next().text;
            const bool isExpert = word.size() > 3 && word.compare(word.size() - 3, 3, "_EP") == 0 &&
                                  (word.rfind("ALL", 0) == 0 || word.rfind("REDUCE", 0) == 0);
            if (word == "BROADCAST" || word == "micro_test" || isExpert)
            {
                return true;
            }
        }
        return false;
    }

    /// Read a list of layers, after its name.
    void ReadList(const std::string& what, LayerList& list)
    {
        list.line = m_words.Peek().line;
        list.layers.clear();
        uint64_t n = m_words.RequireNumber("the number of " + what, 0, UINT32_MAX);
        for (; n > 0; --n)
        {
            list.layers.push_back(static_cast<uint32_t>(
                m_words.RequireNumber("a layer of the " + what, 0, UINT32_MAX)));
        }
    }

    /// Read the number after a key.
    uint64_t ReadNumber(const TextWord& key, uint64_t min, uint64_t max)
    {
        const std::string what = "a number behind \"" + key.text + "\"";
        if (!m_words.HasMoreInLine())
        {
            throw TextError(key.line, what, "end of line");
        }
        // AICB writes pp_comm as 6291456.0 with sequence parallelism
        return m_words.RequireNumber(what, min, max, key.text.compare(0, 7, "pp_comm") == 0);
    }

    /// Read the size after a key.
    void SetSize(const TextWord& key, Key what, uint32_t& size)
    {
        const auto value = static_cast<uint32_t>(ReadNumber(key, 1, WorkloadPlan::MAX_RANKS));
        const auto [first, isFirst] = m_sizes.emplace(what, value);
        if (!isFirst && first->second != value)
        {
            throw TextError(key.line,
                            "\"" + key.text + "\" to be " + std::to_string(first->second) +
                                ", as the header has told before",
                            std::to_string(value));
        }
        size = value;
    }

    /// Read a key that is not known, and what belongs to it. SimAI skips it.
    void ReadUnknown(const TextWord& key)
    {
        const std::size_t colon = key.text.find(':');
        const std::string name = GetKeyName(key.text.substr(0, colon));
        if (colon + 1 < key.text.size() && colon != std::string::npos &&
            (KEYS.count(name) > 0 || MayDivideRanks(name)))
        {
            throw TextError(key.line, "a blank behind \"" + name + ":\"", key.text);
        }
        m_header.unused.push_back(GetPrintableName(key.text));
        if (colon == std::string::npos)
        {
            return;
        }
        const bool hasValue = m_words.HasMoreInLine() && m_words.Peek().text.back() != ':';
        const std::string value = hasValue ? m_words.Next().text : "nothing";
        if (MayDivideRanks(name) && value != "1")
        {
            throw TextError(
                key.line,
                "a header whose keys tell all groups of ranks: tp, ep, pp and dp are known",
                key.text + " " + value);
        }
    }

    /// Read a key of SimAI and what belongs to it.
    void ReadKey(const TextWord& key)
    {
        const auto found = KEYS.find(GetKeyName(key.text));
        if (found == KEYS.end())
        {
            ReadUnknown(key);
            return;
        }
        switch (found->second)
        {
        case Key::TP:
            SetSize(key, Key::TP, m_header.tp);
            break;
        case Key::EP:
            SetSize(key, Key::EP, m_header.ep);
            break;
        case Key::PP:
            SetSize(key, Key::PP, m_header.pp);
            break;
        case Key::DP:
            SetSize(key, Key::DP, m_dp);
            break;
        case Key::RANKS:
            SetSize(key, Key::RANKS, m_header.nRanks);
            break;
        case Key::CHUNKS:
            ReadNumber(key, 0, UINT32_MAX); // AICB writes the number of layers
            break;
        case Key::MICROBATCHES:
            m_header.nMicrobatches =
                std::max(1U, static_cast<uint32_t>(ReadNumber(key, 0, UINT32_MAX)));
            break;
        case Key::PIPELINE_BYTES:
            m_header.pipelineBytes = ReadNumber(key, 0, CollectiveSchedule::MAX_BYTES);
            break;
        case Key::LAST_BOTTOM:
            m_header.lastBottomLine = key.line;
            m_header.lastBottomLayer = static_cast<uint32_t>(ReadNumber(key, 0, UINT32_MAX));
            break;
        case Key::CHECKPOINTS:
            ReadList("checkpoints", m_header.checkpoints);
            break;
        case Key::INITIATES:
            ReadList("checkpoint_initiates", m_header.initiates);
            break;
        case Key::MODE:
            m_header.isInference = ReadNumber(key, 0, 1) == 1;
            break;
        }
    }

    /// Read the header of SimAI, after the policy.
    void ReadKeys(uint32_t line)
    {
        while (m_words.HasMoreInLine())
        {
            ReadKey(m_words.Next());
        }
        m_header.hasTp = m_sizes.count(Key::TP) > 0;
        if (!IsTransformer(m_header.policy))
        {
            // SimAI has groups for transformers only
            for (uint32_t* const size : {&m_header.tp, &m_header.ep, &m_header.pp})
            {
                *size = 1;
            }
        }
        if (m_words.Peek().isThere && m_words.Peek().line != line + 1)
        {
            throw TextError(line + 1, "the number of layers", "");
        }
    }

    /// Read the header of ASTRA-sim, after the policy.
    void ReadPositions()
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
            m_header.lastBottomLayer = static_cast<uint32_t>(
                m_words.RequireNumber("the last bottom layer", 0, UINT32_MAX));
        }
    }

    /// Choose the number of ranks and of neighbors.
    void ChooseSizes()
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
                            "a number of ranks from 1 to " +
                                std::to_string(WorkloadPlan::MAX_RANKS) + " by " +
                                m_settings.ranksName + ", as the file has no all_gpus",
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

    /// Check that sizes divide the number of ranks.
    void CheckSizes() const
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
        if (m_dp != 0 && m_dp != dp && IsTransformer(m_header.policy))
        {
            throw TextError(1,
                            "dp: " + std::to_string(dp) + ", as the other sizes tell",
                            std::to_string(m_dp));
        }
    }

    WordReader& m_words;                     //!< the words
    const LayerWorkloadSettings& m_settings; //!< how it is read
    LayerWorkloadHeader m_header;            //!< the header
    std::map<Key, uint32_t> m_sizes;         //!< sizes that keys have told
    uint32_t m_dp{0};                        //!< the data-parallel size that it tells, or 0
};

} // namespace

LayerWorkloadHeader
ReadLayerWorkloadHeader(const std::string& text,
                        WordReader& words,
                        const LayerWorkloadSettings& settings)
{
    return HeaderReader(words, settings).Read(text);
}

} // namespace ns3::aidc
