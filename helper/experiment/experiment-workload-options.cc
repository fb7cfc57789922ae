// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-workload-options.h"

#include "../../model/core/workload/text-reader.h"
#include "experiment-values.h"

#include "ns3/experiment-data-file.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

template <typename T>
T
GetMeaning(const std::string& option,
           const std::string& word,
           const std::map<std::string, T>& words)
{
    const auto found = words.find(word);
    if (found == words.end())
    {
        std::string known;
        for (const auto& entry : words)
        {
            known += (known.empty() ? "" : " or ") + entry.first;
        }
        throw std::runtime_error("expected --" + option + " to be " + known + ", found \"" + word +
                                 "\"");
    }
    return found->second;
}

} // namespace

void
ExperimentWorkloadOptions::AddTo(ExperimentParameters& parameters, const std::string& instead)
{
    const auto isThere = [this] { return IsGiven(); };
    const auto isLayers = [this] { return IsGiven() && m_kind == WorkloadFileKind::LAYERS; };
    const auto isChakra = [this] { return IsGiven() && m_kind == WorkloadFileKind::CHAKRA; };
    const auto isOther = [this] { return IsGiven() && m_kind != WorkloadFileKind::TRAINING_STEP; };
    static const std::string LAYERS = "--workload with a text of SimAI or ASTRA-sim";
    static const std::string CHAKRA = "--workload with Chakra traces";
    parameters.AddText("workload",
                       "workload file, instead of " + instead +
                           ": a training step (JSON), Chakra traces (NAME of NAME.0.et, or a "
                           "folder), or a text of SimAI or ASTRA-sim 1.0",
                       m_workload,
                       "none");
    parameters
        .AddText("workload-format", "format of a text file: auto, simai or astra-sim", m_format)
        .UseIf(isLayers, LAYERS);
    parameters
        .AddCount("workload-ranks",
                  "number of ranks, if the file does not give it; 0 for the file's",
                  m_nRanks)
        .UseIf(isThere, "--workload");
    parameters
        .AddCount("workload-neighbors",
                  "consecutive ranks per group, with HYBRID_DATA_MODEL, HYBRID_MODEL_DATA and "
                  "HYBRID_CUSTOMIZED",
                  m_nNeighbors)
        .UseIf(isLayers, LAYERS);
    parameters
        .AddCount("workload-passes", "passes through the layers, or training steps", m_nPasses)
        .UseIf([this] { return IsGiven() && m_kind != WorkloadFileKind::CHAKRA; },
               "--workload without Chakra traces");
    parameters
        .AddText("workload-layers",
                 "layers of MICRO that communicate: first, as in SimAI and ASTRA-sim, or all",
                 m_layers)
        .UseIf(isLayers, LAYERS);
    parameters
        .AddText("workload-gather",
                 "what the size of an all-gather means: total, contribution (of each rank) or auto "
                 "(as in the format)",
                 m_gather)
        .UseIf(isLayers, LAYERS);
    parameters
        .AddText("workload-unknown",
                 "collectives of unknown types: refuse, or ignore as SimAI does",
                 m_unknown)
        .UseIf(isLayers, LAYERS);
    parameters
        .AddText("workload-groups",
                 "file (JSON) with the ranks of process groups",
                 m_groups,
                 "none")
        .UseIf(isChakra, CHAKRA);
    parameters
        .AddText("workload-dependencies",
                 "what nodes wait for: data, or all (control dependencies, too)",
                 m_dependencies)
        .UseIf(isChakra, CHAKRA);
    parameters
        .AddText("workload-dimensions",
                 "sizes of the network's dimensions, such as 8,4, for collectives of some of them "
                 "(involved_dim of ASTRA-sim); consecutive ranks are in the first one",
                 m_dimensions,
                 "none")
        .UseIf(isChakra, CHAKRA);
    const auto isRate = [](double rate) { return rate >= 0 && rate <= 1e21; };
    parameters
        .AddNumber("flops",
                   "operations per second, such as 312e12, of computations with num_ops and "
                   "without a duration; 0 to refuse them",
                   m_operationRate,
                   isRate,
                   "0 to 1e21")
        .UseIf(isChakra, CHAKRA);
    parameters
        .AddNumber("memory-bandwidth",
                   "bytes per second of memory, such as 2e12, for the tensor_size of these "
                   "computations; 0 for no limit",
                   m_memoryRate,
                   isRate,
                   "0 to 1e21")
        .UseIf(isChakra, CHAKRA);
    parameters
        .AddText(
            "workload-algorithms",
            "algorithms of collectives, such as all-reduce:halving-doubling,all-to-all:pairwise",
            m_algorithms,
            "default")
        .UseIf(isOther, "--workload without a training step");
    parameters.AddCount("workload-chunks", "chunks of each collective", m_nChunks)
        .UseIf(isOther, "--workload without a training step");
    parameters
        .AddCount("workload-channels",
                  "channels per ring, chain and double tree; 0 for the ranks per server of a group "
                  "that spans servers, else 1",
                  m_nChannels)
        .UseIf(isOther, "--workload without a training step");
}

void
ExperimentWorkloadOptions::ReadAlgorithms(CollectiveSettings& settings) const
{
    const std::map<std::string, CollectiveAlgorithm*> kinds{
        {"all-reduce", &settings.allReduce},
        {"all-gather", &settings.allGather},
        {"reduce-scatter", &settings.reduceScatter},
        {"all-to-all", &settings.allToAll},
        {"broadcast", &settings.broadcast}};
    std::istringstream list(m_algorithms);
    for (std::string pair; std::getline(list, pair, ',');)
    {
        const std::size_t colon = pair.find(':');
        const std::string name = colon == std::string::npos ? "" : pair.substr(colon + 1);
        CollectiveAlgorithm* const algorithm =
            GetMeaning("workload-algorithms", pair.substr(0, colon), kinds);
        if (!ParseCollectiveAlgorithm(name, *algorithm))
        {
            throw std::runtime_error(
                "expected --workload-algorithms to be pairs such as all-reduce:ring, found \"" +
                pair + "\"");
        }
    }
}

std::vector<uint32_t>
ExperimentWorkloadOptions::ReadDimensions() const
{
    std::vector<uint32_t> sizes;
    std::istringstream list(m_dimensions);
    for (std::string text; std::getline(list, text, ',');)
    {
        uint64_t size = 0;
        CheckOption(ParseUnsigned(text, size) && size >= 1 && size <= WorkloadPlan::MAX_RANKS,
                    "--workload-dimensions to be sizes such as 8,4, found \"" + m_dimensions +
                        "\"");
        sizes.push_back(static_cast<uint32_t>(size));
    }
    return sizes;
}

WorkloadFileSettings
ExperimentWorkloadOptions::MakeSettings() const
{
    WorkloadFileSettings settings;
    ReadAlgorithms(settings);
    settings.nChunks = m_nChunks;
    CheckRange("workload-channels", m_nChannels, 0, CollectiveScheduleSettings::MAX_CHANNELS);
    settings.nChannels = m_nChannels;
    settings.format =
        GetMeaning<LayerWorkloadFormat>("workload-format",
                                        m_format,
                                        {{"auto", LayerWorkloadFormat::GUESS},
                                         {"simai", LayerWorkloadFormat::SIMAI},
                                         {"astra-sim", LayerWorkloadFormat::ASTRA_SIM}});
    settings.gatherSize = GetMeaning<GatherSize>("workload-gather",
                                                 m_gather,
                                                 {{"auto", GatherSize::BY_FORMAT},
                                                  {"total", GatherSize::TOTAL},
                                                  {"contribution", GatherSize::CONTRIBUTION}});
    settings.allLayers =
        GetMeaning<bool>("workload-layers", m_layers, {{"first", false}, {"all", true}});
    settings.ignoresUnknown =
        GetMeaning<bool>("workload-unknown", m_unknown, {{"refuse", false}, {"ignore", true}});
    settings.waitsForControl =
        GetMeaning<bool>("workload-dependencies", m_dependencies, {{"data", false}, {"all", true}});
    settings.dimensions = ReadDimensions();
    settings.operationRate = m_operationRate;
    settings.memoryRate = m_memoryRate;
    settings.groupsName = "--workload-groups";
    settings.dimensionsName = "--workload-dimensions";
    settings.operationRateName = "--flops";
    settings.ranksName = "--workload-ranks";
    settings.neighborsName = "--workload-neighbors";
    settings.nRanks = m_nRanks;
    settings.nNeighbors = m_nNeighbors;
    CheckOption(m_nPasses > 0, "--workload-passes above 0, found 0");
    settings.nPasses = m_nPasses;
    if (!m_groups.empty())
    {
        settings.groups = ReadProcessGroupFile(FindDataFile(m_groups));
    }
    return settings;
}

void
ExperimentWorkloadOptions::Prepare(uint32_t nPerServer)
{
    WorkloadFileSettings settings = MakeSettings();
    settings.nPerServer = nPerServer;
    if (IsGiven())
    {
        const std::string path = HasChakraFiles(m_workload) ? m_workload : FindDataFile(m_workload);
        m_kind = RecognizeWorkloadFile(path);
        m_plan = std::make_shared<const WorkloadPlan>(ReadWorkloadFile(path, settings));
    }
}

} // namespace ns3::aidc
