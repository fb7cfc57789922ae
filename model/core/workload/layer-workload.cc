// SPDX-License-Identifier: GPL-2.0-only

#include "layer-workload.h"

#include "text-reader.h"
#include "workload-plan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// The names of policies.
constexpr std::array<const char*, 11> POLICIES = {"DATA",
                                                  "MODEL",
                                                  "HYBRID_TRANSFORMER",
                                                  "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                  "HYBRID_DLRM",
                                                  "HYBRID_DLRM_ENHANCED",
                                                  "HYBRID_DATA_MODEL",
                                                  "HYBRID_MODEL_DATA",
                                                  "HYBRID_CUSTOMIZED",
                                                  "MICRO",
                                                  "DISTRIBUTED_INFERENCE"};

/// @return the ranks that communicate by the policy
LayerRanks
GetByPolicy(LayerPolicy policy, LayerPhaseKind kind)
{
    const bool isWeights = kind == LayerPhaseKind::WEIGHT_GRADIENT;
    switch (policy)
    {
    case LayerPolicy::MODEL:
    case LayerPolicy::DISTRIBUTED_INFERENCE:
        return isWeights ? LayerRanks::NOBODY : LayerRanks::ALL;
    case LayerPolicy::HYBRID_TRANSFORMER:
    case LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
    case LayerPolicy::HYBRID_DATA_MODEL:
        return isWeights ? LayerRanks::APART : LayerRanks::NEIGHBORS;
    case LayerPolicy::HYBRID_MODEL_DATA:
        return isWeights ? LayerRanks::NEIGHBORS : LayerRanks::APART;
    default: // data parallelism
        return isWeights ? LayerRanks::ALL : LayerRanks::NOBODY;
    }
}

} // namespace

bool
IsTransformer(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_TRANSFORMER ||
           policy == LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD;
}

bool
IsDlrm(LayerPolicy policy)
{
    return policy == LayerPolicy::HYBRID_DLRM || policy == LayerPolicy::HYBRID_DLRM_ENHANCED;
}

std::optional<LayerRanks>
GetLayerRanks(const LayerWorkload& workload, std::size_t layer, LayerPhaseKind kind)
{
    const WorkloadLayer& what = workload.layers[layer];
    const LayerPhase& phase = what.Get(kind);
    if (!phase.collective || phase.bytes == 0)
    {
        return std::nullopt;
    }
    if (phase.group != LayerGroup::BY_POLICY)
    {
        return phase.group == LayerGroup::EXPERT ? LayerRanks::EXPERT : LayerRanks::DATA_EXPERT;
    }
    if (layer == 0 && IsDlrm(workload.policy))
    {
        return LayerRanks::ALL; // the embeddings
    }
    const bool isCustomized = workload.policy == LayerPolicy::HYBRID_CUSTOMIZED;
    return GetByPolicy(isCustomized ? what.policy : workload.policy, kind);
}

LayerGroupForm
GetLayerGroupForm(const LayerWorkload& workload, LayerRanks ranks)
{
    const uint32_t dp = workload.nRanks / (workload.tp * workload.pp);
    const uint32_t stride = workload.nRanks / dp;
    switch (ranks)
    {
    case LayerRanks::ALL:
        return {workload.nRanks, 1};
    case LayerRanks::NEIGHBORS:
        return {workload.tp, 1};
    case LayerRanks::APART:
        return {dp, stride};
    case LayerRanks::EXPERT:
        // In a stage: ranks of other stages are behind, and would be waited for
        return {workload.ep, stride};
    case LayerRanks::DATA_EXPERT:
        return {dp / workload.ep, stride * workload.ep};
    default:
        return {0, 1};
    }
}

namespace
{

/// Collectives by the names of their types.
const std::array<std::pair<const char*, CollectiveKind>, 4> TYPES{
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

/// Layers that the header of a workload lists.
struct LayerList
{
    std::vector<uint32_t> layers; //!< the layers, counted from 0
    uint32_t line{1};             //!< the line of the list
};

/// A workload, and what else its header says.
struct LayerWorkloadText : LayerWorkload
{
    bool isGuess{false};             //!< whether it may be of the other format
    bool isOldAicb{false};           //!< whether it is known by what early AICB wrote
    bool hasTp{true};                //!< whether it tells the tensor-parallel size
    uint32_t nAnnouncedBlocks{1};    //!< how often the layers of a stage stand in the text
    uint32_t nAnnouncedLayers{0};    //!< the number of layers
    LayerList checkpoints;           //!< layers from which others go forward again
    LayerList initiates;             //!< layers that make others go forward again
    uint32_t lastBottomLine{1};      //!< the line of the last bottom layer
    std::vector<std::string> unused; //!< keys of SimAI that have no effect here
};

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

/// Keys of SimAI's header in lower case, keys of older AICBs, and options used in their place.
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

/// @return whether only SimAI's header has the key, as ASTRA-sim's labels are keys of SimAI's, too
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
        m_header.nRanks = 0; // if it does not tell
    }

    /// @return the workload without its layers, whose sizes divide the number of ranks
    LayerWorkloadText Read(const std::string& text)
    {
        const std::string expected =
            "a workload of SimAI or ASTRA-sim, whose first word is " + JoinTexts(POLICIES);
        const TextWord policy = m_words.Require(expected);
        if (!ParseName(POLICIES, policy.text, m_header.policy))
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
        m_header.nAnnouncedLayers =
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
        // AICB writes this policy always, with empty lists of checkpoints; in ASTRA-sim it is for
        // models that have some
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
        const std::map<Key, uint32_t*> sizes{{Key::TP, &m_header.tp},
                                             {Key::EP, &m_header.ep},
                                             {Key::PP, &m_header.pp},
                                             {Key::DP, &m_dp},
                                             {Key::RANKS, &m_header.nRanks}};
        if (const auto size = sizes.find(found->second); size != sizes.end())
        {
            SetSize(key, size->first, *size->second);
            return;
        }
        switch (found->second)
        {
        case Key::CHUNKS:
            ReadNumber(key, 0, UINT32_MAX); // AICB writes the number of layers
            break;
        case Key::MICROBATCHES:
            m_header.nAnnouncedBlocks =
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
        default:
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
                                std::string("for ") +
                                    POLICIES.at(static_cast<std::size_t>(m_header.policy)) +
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
    LayerWorkloadText m_header;              //!< the header
    std::map<Key, uint32_t> m_sizes;         //!< sizes that keys have told
    uint32_t m_dp{0};                        //!< the data-parallel size that it tells, or 0
};

/// Reads a workload of layers.
class LayerWorkloadReader
{
  public:
    LayerWorkloadReader(const std::string& text, const LayerWorkloadSettings& settings)
        : m_words(text),
          m_settings(settings),
          m_workload(HeaderReader(m_words, settings).Read(text))
    {
    }

    LayerWorkload Read()
    {
        ReadLayers();
        MarkLayers();
        FindBlocks();
        AddNotes();
        return std::move(m_workload); // without what else the header says
    }

  private:
    void ReadLayers()
    {
        while (m_workload.layers.size() < m_workload.nAnnouncedLayers)
        {
            if (!m_words.Peek().isThere)
            {
                throw TextError(m_words.Peek().line,
                                std::to_string(m_workload.nAnnouncedLayers) +
                                    " layers, as announced",
                                std::to_string(m_workload.layers.size()) + " layers");
            }
            WorkloadLayer layer;
            layer.name = GetPrintableName(m_words.Next().text);
            ReadLayer(layer);
            m_workload.layers.push_back(std::move(layer));
        }
        if (m_words.Peek().isThere)
        {
            m_workload.notes.push_back("what follows the " +
                                       std::to_string(m_workload.nAnnouncedLayers) +
                                       " announced layers, from line " +
                                       std::to_string(m_words.Peek().line) + " on, is not used");
        }
    }

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
        const bool isCustomized = m_workload.policy == LayerPolicy::HYBRID_CUSTOMIZED;
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

    void ReadPolicy(WorkloadLayer& layer)
    {
        const std::string expected =
            Name(layer, 12) + ", which is DATA, MODEL, HYBRID_DLRM, HYBRID_DLRM_ENHANCED, " +
            "HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, MICRO or DISTRIBUTED_INFERENCE";
        const TextWord word = m_words.Require(expected);
        if (!ParseName(POLICIES, word.text, layer.policy) || IsTransformer(layer.policy) ||
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

    void ReadType(const WorkloadLayer& layer, std::size_t column, LayerPhase& phase)
    {
        const bool isSimAi = m_workload.format == LayerWorkloadFormat::SIMAI;
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
        for (const auto& [name, kind] : TYPES)
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

    std::string Name(const WorkloadLayer& layer) const
    {
        return "layer " + std::to_string(m_workload.layers.size()) + " \"" + layer.name + "\"";
    }

    std::string Name(const WorkloadLayer& layer, std::size_t column) const
    {
        return std::string("the ") + COLUMNS[column] + " (column " + std::to_string(column + 1) +
               ") of " + Name(layer);
    }

    /// Mark layers as checkpoints, and as layers for which others are computed again.
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
        for (const uint32_t layer : m_workload.checkpoints.layers)
        {
            require(m_workload.checkpoints.line, "checkpoints", layer);
            layers[layer].isCheckpoint = true;
            first = std::min<std::size_t>(first, layer);
        }
        for (const uint32_t layer : m_workload.initiates.layers)
        {
            require(m_workload.initiates.line, "checkpoint_initiates", layer);
            layers[layer].recomputes = true;
            if (layer <= first)
            {
                throw TextError(m_workload.initiates.line,
                                "a checkpoint before each layer of checkpoint_initiates",
                                std::to_string(layer));
            }
        }
        if (IsDlrm(m_workload.policy))
        {
            require(m_workload.lastBottomLine, "a last bottom layer", m_workload.lastBottomLayer);
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
        return IsTransformer(m_workload.policy) ||
               (gathers && m_settings.gatherSize == GatherSize::BY_FORMAT);
    }

    /// Find the layers of each microbatch, which stand one after another.
    void FindBlocks()
    {
        const auto& layers = m_workload.layers;
        const std::size_t n = layers.size();
        const std::size_t m = m_workload.nAnnouncedBlocks;
        m_workload.layersPerBlock = static_cast<uint32_t>(n);
        constexpr std::size_t MAX_STEPS = 1'000'000'000;
        if (m_workload.pp == 1 || m == 1 || n / m > MAX_STEPS / n)
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
                    m_workload.nMicrobatches = m_workload.nAnnouncedBlocks;
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
        if (m_workload.pp == 1)
        {
            if (m_workload.pipelineBytes > 0)
            {
                notes.emplace_back("pp_comm has no effect, as there is one stage");
            }
            return;
        }
        if (m_workload.pipelineBytes == 0)
        {
            notes.emplace_back("pp_comm tells no bytes, so messages between stages have none");
        }
        if (m_workload.nMicrobatches < m_workload.nAnnouncedBlocks)
        {
            notes.push_back("no sequence of layers stands there " +
                            std::to_string(m_workload.nAnnouncedBlocks) +
                            " times (ga); all layers are one microbatch");
        }
    }

    /// Tell of collectives, if there are any. n: how many; what: what is with them.
    void AddCount(std::size_t n, const std::string& what)
    {
        if (n > 0)
        {
            m_workload.notes.push_back(std::to_string(n) + " collectives " + what);
        }
    }

    /// Tell what the text does not make plain.
    void AddNotes()
    {
        auto& notes = m_workload.notes;
        if (m_workload.isGuess && DependsOnFormat())
        {
            notes.emplace_back(
                "the header may be SimAI's or ASTRA-sim's; it is read as ASTRA-sim's "
                "unless the format of SimAI is chosen");
        }
        if (m_workload.isOldAicb && DependsOnFormat())
        {
            notes.emplace_back("the text is known as AICB's by its header or layers, and read as "
                               "SimAI's unless the format of ASTRA-sim is chosen");
        }
        AddCount(m_nBroadcasts, "of type BROADCAST are left out, as in SimAI and ASTRA-sim");
        AddCount(m_nUnknown, "of unknown types are left out");
        if (!m_workload.unused.empty())
        {
            notes.push_back("the header has keys that are not used: " +
                            JoinTexts(m_workload.unused));
        }
        AddNotesOnGroups();
        AddNotesOnPipeline();
        if (m_workload.policy == LayerPolicy::MICRO && !m_settings.allLayers &&
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
                const auto ranks = GetLayerRanks(m_workload, layer, kind);
                if (!ranks)
                {
                    continue;
                }
                used.insert(*ranks);
                nOfNobody += ranks == LayerRanks::NOBODY ? 1 : 0;
                const bool isAlone = GetLayerGroupForm(m_workload, *ranks).count == 1;
                const bool isExpert = ranks == LayerRanks::EXPERT;
                nExpert += isAlone && isExpert && !IsTransformer(m_workload.policy) ? 1 : 0;
                nAlone += isAlone ? 1 : 0;
            }
        }
        if (!m_workload.hasTp && IsTransformer(m_workload.policy) && !used.empty())
        {
            throw TextError(1,
                            "the tensor-parallel size in the header, behind "
                            "\"model_parallel_NPU_group:\", as there are collectives",
                            "none");
        }
        auto& notes = m_workload.notes;
        AddCount(nOfNobody,
                 "are left out, as in SimAI and ASTRA-sim, in phases in which no ranks communicate "
                 "by the policy");
        AddCount(nExpert,
                 "with _EP are left out, as SimAI has groups of experts for transformers only");
        AddCount(nAlone - nExpert, "of groups of one rank send nothing");
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
    LayerWorkloadText m_workload;            //!< the workload
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
