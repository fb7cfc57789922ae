// SPDX-License-Identifier: GPL-2.0-only

// Workloads of layers: what is read from the texts of SimAI and ASTRA-sim 1.0.

#include "layer-texts.h"
#include "test/core/core-test.h"

TEST(LayerWorkload, SimAiKeysAndColumnsAreRead)
{
    const LayerWorkload workload = ParseLayerWorkload(SIMAI_TEXT, {});
    EXPECT_EQ(workload.format, LayerWorkloadFormat::SIMAI);
    EXPECT_EQ(workload.policy, LayerPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD);
    EXPECT_EQ(workload.nRanks, 4U);
    EXPECT_EQ(workload.tp, 2U);
    EXPECT_EQ(workload.pp, 1U);
    EXPECT_EQ(workload.ep, 1U);
    EXPECT_TRUE(workload.notes.empty());
    ASSERT_EQ(workload.layers.size(), 2U);
    const WorkloadLayer& mlp = workload.layers[1];
    EXPECT_EQ(mlp.name, "mlp");
    EXPECT_EQ(mlp.forward.computeNs, 3000U);
    EXPECT_EQ(mlp.forward.collective, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(mlp.forward.bytes, 8192U);
    EXPECT_EQ(mlp.inputGradient.computeNs, 4000U);
    EXPECT_EQ(mlp.inputGradient.collective, std::nullopt);
    EXPECT_EQ(mlp.weightGradient.computeNs, 700U);
    EXPECT_EQ(mlp.weightGradient.collective, CollectiveKind::REDUCE_SCATTER);
    EXPECT_EQ(mlp.weightGradient.bytes, 65536U);
    EXPECT_EQ(mlp.updateNs, 100U);
}

TEST(LayerWorkload, KeysComeInAnyOrderAndUnknownOnesAreTold)
{
    // As AICB writes it: a layer's dependency, pp_comm without a colon or with a fraction
    const LayerWorkload workload = ParseLayerWorkload(
        "HYBRID_TRANSFORMER\tall_gpus: 48 pp_comm 6291456.0 new: 7 ep: 2 vpp: 40 ga: 24 "
        "expert_parallel_npu_group: 2 sp: true cp: 1 dp: 4 word pp: 3 model_parallel_NPU_group: "
        "4\r\n1\r\n"
        "a\t7 1\tALLTOALL_EP 10\t2 ALLGATHER_DP_EP\n11 3 REDUCESCATTER 12 4\r\n\n",
        {});
    EXPECT_EQ(workload.policy, LayerPolicy::HYBRID_TRANSFORMER);
    EXPECT_EQ(workload.nRanks, 48U);
    EXPECT_EQ(workload.tp, 4U);
    EXPECT_EQ(workload.pp, 3U);
    EXPECT_EQ(workload.ep, 2U);
    ASSERT_EQ(workload.layers.size(), 1U);
    EXPECT_EQ(workload.layers[0].forward.collective, CollectiveKind::ALL_TO_ALL);
    EXPECT_EQ(workload.layers[0].forward.group, LayerGroup::EXPERT);
    EXPECT_EQ(workload.layers[0].inputGradient.collective, CollectiveKind::ALL_GATHER);
    EXPECT_EQ(workload.layers[0].inputGradient.group, LayerGroup::DATA_EXPERT);
    EXPECT_EQ(workload.layers[0].weightGradient.group, LayerGroup::BY_POLICY);
    EXPECT_EQ(workload.notes,
              (std::vector<std::string>{
                  "the header has keys that are not used: new:, sp:, cp:, word",
                  "no tensor-parallel group of 4 ranks communicates",
                  "no sequence of layers stands there 24 times (ga); all layers are one "
                  "microbatch"}));
    EXPECT_EQ(workload.pipelineBytes, 6291456U);
}

TEST(LayerWorkload, MicrobatchesAreLayersThatStandThereSeveralTimes)
{
    const auto read = [](const std::string& names, const std::string& keys) {
        std::string text = "HYBRID_TRANSFORMER tp: 1 all_gpus: 8 " + keys + "\n" +
                           std::to_string(names.size()) + "\n";
        for (const char name : names)
        {
            text += std::string(1, name) + " -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
        }
        const LayerWorkload workload = ParseLayerWorkload(text, {});
        std::string found = std::to_string(workload.nMicrobatches) + " x " +
                            std::to_string(workload.layersPerBlock) + " from " +
                            std::to_string(workload.firstBlockLayer);
        for (const std::string& note : workload.notes)
        {
            found += "; " + note;
        }
        return found;
    };
    const std::string pp = "pp: 2 pp_comm: 9 ";
    EXPECT_EQ(read("xyabbabbabbz", pp + "ga: 3"), "3 x 3 from 2");
    EXPECT_EQ(read("abbabb", pp + "ga: 2"), "2 x 3 from 0");
    EXPECT_EQ(read("aaaa", pp + "ga: 2"), "2 x 2 from 0");
    EXPECT_EQ(read("xab", pp + "ga: 1"), "1 x 3 from 0");
    EXPECT_EQ(read("xab", pp), "1 x 3 from 0");
    EXPECT_EQ(read("xabcab", pp + "ga: 3"),
              "1 x 6 from 0; no sequence of layers stands there 3 times (ga); all layers are one "
              "microbatch");
    EXPECT_EQ(read("aa", "pp: 2 ga: 2"),
              "2 x 1 from 0; pp_comm tells no bytes, so messages between stages have none");
    EXPECT_EQ(read("aa", "pp: 1 pp_comm: 9"),
              "1 x 2 from 0; pp_comm has no effect, as there is one stage");
}

TEST(LayerWorkload, SizesHaveTheNamesThatPeopleGiveThem)
{
    const std::string layer = "1 ALLREDUCE 8 1 ALLTOALL_EP 8 1 NONE 0 1";
    for (const std::string keys : {"tp: 8 ep: 2 pp: 1 all_gpus: 16",
                                   "model_parallel_npu_group: 8 EP: 2 PP: 1 ALL_GPUS: 16",
                                   "tensor_model_parallel_size: 8 world_size: 16 "
                                   "expert_model_parallel_size: 2 vpp: 1"})
    {
        const LayerWorkload workload =
            ParseLayerWorkload(MakeLayers("HYBRID_TRANSFORMER " + keys, layer, 1), {});
        EXPECT_EQ(workload.tp, 8U) << keys;
        EXPECT_EQ(workload.ep, 2U) << keys;
        EXPECT_EQ(workload.nRanks, 16U) << keys;
        EXPECT_TRUE(workload.notes.empty()) << keys;
    }
}

TEST(LayerWorkload, GroupsWithoutEffectAreTold)
{
    const auto read = [](const std::string& header, const std::string& layer) {
        return ParseLayerWorkload(MakeLayers(header, layer, 2), {}).notes;
    };
    using Notes = std::vector<std::string>;
    EXPECT_EQ(read("HYBRID_TRANSFORMER tp: 2 ep: 1 all_gpus: 4",
                   "1 ALLREDUCE 8 1 ALLTOALL_EP 8 1 NONE 0 1"),
              Notes{"2 collectives of groups of one rank send nothing"});
    EXPECT_EQ(
        read("HYBRID_TRANSFORMER tp: 1 ep: 4 all_gpus: 4", "1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1"),
        Notes{"ep: 4 has no effect, as no collective has _EP or _DP_EP"});
    EXPECT_EQ(
        read("HYBRID_TRANSFORMER tp: 4 pp: 1 all_gpus: 4", "1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1"),
        (Notes{"2 collectives of groups of one rank send nothing",
               "no tensor-parallel group of 4 ranks communicates"}));
    EXPECT_EQ(read("DATA all_gpus: 4", "1 ALLREDUCE 8 1 ALLREDUCE 8 1 ALLREDUCE 8 1"),
              Notes{"4 collectives are left out, as in SimAI and ASTRA-sim, in phases in which no "
                    "ranks communicate by the policy"});
}

TEST(LayerWorkload, TextsOfEarlyAicbAreKnown)
{
    const std::string known = "the text is known as AICB's by its header or layers, and read as "
                              "SimAI's unless the format of ASTRA-sim is chosen";
    const std::string gather = "1 NONE 0 1 NONE 0 1 ALLGATHER 8 1";
    const std::string broadcast = "1 NONE 0 1 BROADCAST 4 1 ALLGATHER 8 1";
    const auto read = [](const std::string& text) {
        return ParseLayerWorkload(text, WithRanks(16));
    };
    const std::string header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 1 ";
    for (const std::string& text :
         {MakeLayers(header + "checkpoints: 0 checkpoint_initiates: 0", gather, 1),
          MakeLayers("HYBRID_TRANSFORMER tp 1", broadcast, 1),
          MakeLayers("MICRO", broadcast, 1),
          "MICRO\n1\nmicro_test\t-1\t" + gather})
    {
        const LayerWorkload workload = read(text);
        EXPECT_EQ(workload.format, LayerWorkloadFormat::SIMAI) << text;
        EXPECT_EQ(workload.notes.at(0), known) << text;
    }
    for (const std::string& text :
         {MakeLayers(header + "checkpoints: 1 0 checkpoint_initiates: 1 1", gather, 2),
          MakeLayers("HYBRID_TRANSFORMER tp 1", gather, 1),
          MakeLayers("MICRO", gather, 1)})
    {
        EXPECT_EQ(read(text).format, LayerWorkloadFormat::ASTRA_SIM) << text;
    }
}

// SimAI reads ep for transformers only, so that the groups of _EP have one rank each otherwise
TEST(LayerWorkload, GroupsOfExpertsOfOtherPoliciesAreTold)
{
    const std::string layer = "1 ALLTOALL_EP 8 1 ALLTOALL_EP 8 1 ALLREDUCE_DP_EP 8 1";
    const std::string keys = " model_parallel_NPU_group: 2 ep: 2 pp: 1 all_gpus: 8";
    EXPECT_EQ(ParseLayerWorkload(MakeLayers("HYBRID_TRANSFORMER" + keys, layer, 3), {}).notes,
              std::vector<std::string>{"no tensor-parallel group of 2 ranks communicates"});
    const LayerWorkload workload =
        ParseLayerWorkload(MakeLayers("HYBRID_DLRM DLRM_LAST_BOTTOM_LAYER: 1" + keys, layer, 3),
                           {});
    ASSERT_EQ(workload.notes.size(), 1U);
    EXPECT_EQ(workload.notes[0],
              "6 collectives with _EP are left out, as SimAI has groups of experts for "
              "transformers only");
}

TEST(LayerWorkload, AllCheckpointsOfTheHeaderCount)
{
    // SimAI reads the first number as often as the count says
    const std::string header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ";
    const std::string lists = "checkpoints: 2 1 3 checkpoint_initiates: 2 5 3";
    for (const std::string& keys : {header + lists + " all_gpus: 4", header + lists})
    {
        const LayerWorkload workload =
            ParseLayerWorkload(MakeLayers(keys, "1 NONE 0 1 NONE 0 1 NONE 0 1", 6), WithRanks(4));
        std::string marks;
        for (const WorkloadLayer& layer : workload.layers)
        {
            marks += layer.isCheckpoint ? "c" : "-";
            marks += layer.recomputes ? "r " : "- ";
        }
        EXPECT_EQ(marks, "-- c- -- cr -- -r ") << keys;
    }
}

TEST(LayerWorkload, AstraSimHeaderIsReadByPosition)
{
    const std::string layer = "1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1";
    const LayerWorkload transformer =
        ParseLayerWorkload(MakeLayers("HYBRID_TRANSFORMER any-label 4", layer, 1), WithRanks(8));
    EXPECT_EQ(transformer.format, LayerWorkloadFormat::ASTRA_SIM);
    EXPECT_EQ(transformer.tp, 4U);
    const LayerWorkload checkpoints = ParseLayerWorkload(
        MakeLayers("HYBRID_TRANSFORMER_FWD_IN_BCKWD tp 2\nfrom 1\n0 for 2 2 1", layer, 3),
        WithRanks(8));
    EXPECT_TRUE(checkpoints.layers[0].isCheckpoint);
    EXPECT_TRUE(checkpoints.layers[1].recomputes);
    EXPECT_TRUE(checkpoints.layers[2].recomputes);
    const LayerWorkload dlrm =
        ParseLayerWorkload(MakeLayers("HYBRID_DLRM 1", layer, 3), WithRanks(8));
    EXPECT_EQ(dlrm.lastBottomLayer, 1U);
    EXPECT_TRUE(dlrm.notes.empty());
    EXPECT_EQ(
        ParseLayerWorkload(MakeLayers("HYBRID_DLRM_ENHANCED DLRM_LAST_BOTTOM_LAYER: 2", layer, 3),
                           WithRanks(8))
            .lastBottomLayer,
        2U);
    LayerWorkloadSettings settings = WithRanks(8);
    settings.nNeighbors = 4;
    const LayerWorkload customized = ParseLayerWorkload(
        "HYBRID_CUSTOMIZED 2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1 HYBRID_MODEL_DATA\n"
        "b -1 1 NONE 0 1 NONE 0 1 NONE 0 1 DATA",
        settings);
    EXPECT_EQ(customized.tp, 4U);
    EXPECT_EQ(customized.layers[0].policy, LayerPolicy::HYBRID_MODEL_DATA);
    EXPECT_EQ(customized.layers[1].policy, LayerPolicy::DATA);
}

TEST(LayerWorkload, AUserChoosesTheFormatWhereTheHeaderIsThatOfBoth)
{
    const std::string text = MakeLayers("HYBRID_TRANSFORMER model_parallel_NPU_group: 8",
                                        "1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1",
                                        2);
    const LayerWorkload guess = ParseLayerWorkload(text, WithRanks(16));
    EXPECT_EQ(guess.format, LayerWorkloadFormat::ASTRA_SIM);
    ASSERT_EQ(guess.notes.size(), 1U);
    EXPECT_EQ(guess.notes[0],
              "the header may be SimAI's or ASTRA-sim's; it is read as ASTRA-sim's unless the "
              "format of SimAI is chosen");
    for (const auto format : {LayerWorkloadFormat::SIMAI, LayerWorkloadFormat::ASTRA_SIM})
    {
        LayerWorkloadSettings settings = WithRanks(16);
        settings.format = format;
        const LayerWorkload chosen = ParseLayerWorkload(text, settings);
        EXPECT_EQ(chosen.format, format);
        EXPECT_EQ(chosen.tp, 8U);
        EXPECT_TRUE(chosen.notes.empty());
    }
    // Only sizes of all-gathers depend on the format
    LayerWorkloadSettings settings = WithRanks(16);
    const std::string gather = MakeLayers("DATA", "1 NONE 0 1 NONE 0 1 ALLGATHER 8 1", 1);
    EXPECT_EQ(ParseLayerWorkload(gather, settings).notes.size(), 1U);
    settings.gatherSize = GatherSize::TOTAL;
    EXPECT_TRUE(ParseLayerWorkload(gather, settings).notes.empty());
    EXPECT_TRUE(ParseLayerWorkload(DATA_TEXT, WithRanks(16)).notes.empty());
}

TEST(LayerWorkload, NotesTellWhatIsLeftOut)
{
    LayerWorkloadSettings settings = WithRanks(4);
    settings.ignoresUnknown = true;
    const LayerWorkload workload =
        ParseLayerWorkload("MICRO\n2\na -1 1 BROADCAST 5 1 BROADCAST 6 1 ALLREDUCE_TP 9 1\n"
                           "b -1 1 NONE 0 1 ALLREDUCEALLTOALL 9 1 ALLREDUCE 9 1\n\nc -1\nd\n",
                           settings);
    EXPECT_EQ(workload.notes,
              (std::vector<std::string>{
                  "what follows the 2 announced layers, from line 6 on, is not used",
                  "2 collectives of type BROADCAST are left out, as in SimAI and ASTRA-sim",
                  "2 collectives of unknown types are left out",
                  "of 2 layers, only the first one communicates, as in SimAI and ASTRA-sim, unless "
                  "all layers are chosen"}));
    EXPECT_EQ(workload.layers[0].weightGradient.collective, std::nullopt);
    EXPECT_EQ(workload.layers[1].weightGradient.collective, CollectiveKind::ALL_REDUCE);
}

TEST(LayerWorkload, NumbersHave64Bits)
{
    // SimAI's own reader ends with an exception above 2^31
    const LayerWorkload workload = ParseLayerWorkload(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD tp: 2 all_gpus: 2 pp_comm: 3000000000\n1\n"
        "\x1b[31m-a-name-of-more-than-forty-characters-in-all -1 9000000000 ALLREDUCE "
        "1152921504606846976 0 NONE 0 0 NONE 0 1000000000000000000",
        {});
    EXPECT_EQ(workload.layers[0].forward.computeNs, 9000000000U);
    EXPECT_EQ(workload.layers[0].forward.bytes, 1ULL << 60);
    EXPECT_EQ(workload.layers[0].updateNs, 1000000000000000000U);
    EXPECT_EQ(workload.layers[0].name, "?[31m-a-name-of-more-than-forty-characte");
}
