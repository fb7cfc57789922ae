// SPDX-License-Identifier: GPL-2.0-only

// Workloads of layers that are wrong: each has an error of one line.

#include "layer-texts.h"
#include "model/core/workload/layer-workload-plan.h"
#include "model/core/workload/text-reader.h"
#include "test/core/core-test.h"

/// A text and its error.
struct Mistake
{
    std::string text;     //!< the text
    uint32_t line;        //!< the line of the error
    std::string expected; //!< the beginning of what was expected
    std::string found;    //!< what was found
};

const std::string POLICIES =
    "a workload of SimAI or ASTRA-sim, whose first word is DATA, MODEL, HYBRID_TRANSFORMER, "
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_DLRM, HYBRID_DLRM_ENHANCED, HYBRID_DATA_MODEL, "
    "HYBRID_MODEL_DATA, HYBRID_CUSTOMIZED, MICRO, DISTRIBUTED_INFERENCE";

/// The header of SimAI for 8 GPUs, with more keys.
std::string
SimAi(const std::string& keys, const std::string& rest)
{
    return "HYBRID_TRANSFORMER_FWD_IN_BCKWD all_gpus: 8 " + keys + "\n" + rest;
}

const std::string GOOD = "1 NONE 0 1 NONE 0 1 NONE 0 1";

std::string
Layer(const std::string& columns)
{
    return "1\nmlp -1 " + columns + "\n";
}

/// Wrong texts for 8 ranks.
std::vector<Mistake>
GetMistakes()
{
    const std::string simAi = "HYBRID_TRANSFORMER_FWD_IN_BCKWD all_gpus: 8 ";
    return {
        {"", 1, POLICIES, "end of file"},
        {"\n\nHYBRID\n1\n", 3, POLICIES, "HYBRID"},
        {"data\n1\n", 1, POLICIES, "data"},
        {SimAi("pp:", Layer(GOOD)), 1, "a number behind \"pp:\"", "end of line"},
        {SimAi("pp: two", Layer(GOOD)), 1, "a number behind \"pp:\", a whole number from 1", "two"},
        {SimAi("pp: 0", Layer(GOOD)), 1, "a number behind \"pp:\"", "0"},
        {SimAi("ep: -2", Layer(GOOD)), 1, "a number behind \"ep:\"", "-2"},
        {SimAi("ep: 2000000", Layer(GOOD)), 1, "a number behind \"ep:\"", "2000000"},
        {SimAi("pp_comm: 1.5", Layer(GOOD)), 1, "a number behind \"pp_comm:\"", "1.5"},
        {SimAi("ga: 1 all_gpus: x", Layer(GOOD)), 1, "a number behind \"all_gpus:\"", "x"},
        {SimAi("", "\n" + Layer(GOOD)), 2, "the number of layers", ""},
        {SimAi("", "0\n"), 2, "the number of layers, a whole number from 1", "0"},
        {SimAi("", "-3\n"), 2, "the number of layers", "-3"},
        {SimAi("", "many\n"), 2, "the number of layers", "many"},
        {SimAi("", "1 mlp\n"), 2, "the end of the line behind the number of layers", "mlp"},
        {SimAi("", ""), 2, "the number of layers", "end of file"},
        {SimAi("", "3\na -1 " + GOOD + "\nb -1 " + GOOD + "\n"),
         5,
         "3 layers, as announced",
         "2 layers"},
        {SimAi("", "4294967295\na -1 " + GOOD), 3, "4294967295 layers, as announced", "1 layers"},
        // 11 columns, then 13
        {SimAi("", "2\na -1 1 NONE 0 1 NONE 0 1 NONE 0\nb -1 " + GOOD),
         4,
         "the update time (column 12) of layer 0 \"a\", a whole number from 0",
         "b"},
        {SimAi("", "2\na -1 " + GOOD + " 7\nb -1 " + GOOD), 3, "12 columns of layer 0 \"a\"", "7"},
        {SimAi("", "1\na -1 1 NONE 0 1 NONE"),
         3,
         "the input-gradient communication size (column 8) of layer 0 \"a\"",
         "end of file"},
        {SimAi("", "1\na x " + GOOD), 3, "the dependency (column 2) of layer 0 \"a\"", "x"},
        {SimAi("", "1\na - " + GOOD), 3, "the dependency (column 2) of layer 0 \"a\"", "-"},
        {SimAi("", Layer("-5 NONE 0 1 NONE 0 1 NONE 0 1")),
         3,
         "the forward compute time (column 3) of layer 0 \"mlp\", a whole number from 0 to "
         "1000000000000000000",
         "-5"},
        {SimAi("", Layer("1 ALLREDUCE -8 1 NONE 0 1 NONE 0 1")),
         3,
         "the forward communication size (column 5) of layer 0 \"mlp\", a whole number from 0 to "
         "1152921504606846976",
         "-8"},
        {SimAi("", Layer("1 NONE 0 1 NONE 0 1 ALLREDUCE 9223372036854775809 1")),
         3,
         "the weight-gradient communication size (column 11) of layer 0 \"mlp\"",
         "9223372036854775809"},
        {SimAi("", Layer("99999999999999999999 NONE 0 1 NONE 0 1 NONE 0 1")),
         3,
         "the forward compute time (column 3)",
         "99999999999999999999"},
        {SimAi("", Layer("1.5 NONE 0 1 NONE 0 1 NONE 0 1")), 3, "the forward compute time", "1.5"},
        {SimAi("", Layer("1 NONE 0 1 ALLREDUCE_TP 8 1 NONE 0 1")),
         3,
         "the input-gradient communication type (column 7) of layer 0 \"mlp\", which is NONE, "
         "ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER, or one of the last four with _EP or "
         "_DP_EP",
         "ALLREDUCE_TP"},
        {SimAi("", Layer("1 ALLREDUCEALLTOALL 8 1 NONE 0 1 NONE 0 1")),
         3,
         "the forward communication type (column 4) of layer 0 \"mlp\"",
         "ALLREDUCEALLTOALL"},
        {"DATA\n" + Layer("1 NONE 0 1 NONE 0 1 ALLREDUCE_TP 8 1"),
         3,
         "the weight-gradient communication type (column 10) of layer 0 \"mlp\", which is NONE, "
         "ALLREDUCE, ALLTOALL, ALLGATHER or REDUCESCATTER (with _EP or _DP_EP in the format of "
         "SimAI)",
         "ALLREDUCE_TP"},
        {SimAi("model_parallel_NPU_group: 3", Layer(GOOD)),
         1,
         "tensor-parallel size times stages to divide the 8 ranks",
         "3 x 1"},
        {SimAi("model_parallel_NPU_group: 4 pp: 4", Layer(GOOD)),
         1,
         "tensor-parallel size times stages to divide the 8 ranks",
         "4 x 4"},
        {SimAi("model_parallel_NPU_group: 2 ep: 8", Layer(GOOD)),
         1,
         "ep: a number that divides the 4 ranks of a data-parallel group",
         "8"},
        {SimAi("tp: 2 tensor_model_parallel_size: 4", Layer(GOOD)),
         1,
         "\"tensor_model_parallel_size:\" to be 2, as the header has told before",
         "4"},
        {SimAi("tp: 2 dp: 2", Layer(GOOD)), 1, "dp: 4, as the other sizes tell", "2"},
        {SimAi("tp: 2 cp: 2", Layer(GOOD)),
         1,
         "a header whose keys tell all groups of ranks: tp, ep, pp and dp are known",
         "cp: 2"},
        {SimAi("tp: 2 ep_size: 2", Layer(GOOD)),
         1,
         "a header whose keys tell all groups of ranks: tp, ep, pp and dp are known",
         "ep_size: 2"},
        {SimAi("tp: 2 expert_group: 4", Layer(GOOD)),
         1,
         "a header whose keys tell all groups of ranks: tp, ep, pp and dp are known",
         "expert_group: 4"},
        {SimAi("tp: 2 context_parallel_size:", Layer(GOOD)),
         1,
         "a header whose keys tell all groups of ranks: tp, ep, pp and dp are known",
         "context_parallel_size: nothing"},
        {SimAi("tp:2 ep: 1", Layer(GOOD)), 1, "a blank behind \"tp:\"", "tp:2"},
        {SimAi("ep: 1", Layer("1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1")),
         1,
         "the tensor-parallel size in the header, behind \"model_parallel_NPU_group:\", as there "
         "are collectives",
         "none"},
        {"HYBRID_TRANSFORMER all_gpus: 16\n" + Layer(GOOD),
         1,
         "all_gpus: 8, the number of ranks that was chosen",
         "16"},
        {SimAi("checkpoints: 1 1 checkpoint_initiates: 0", Layer(GOOD)),
         1,
         "checkpoints from 0 to 0",
         "1"},
        {SimAi("checkpoints: 1 0 checkpoint_initiates: 1 5", Layer(GOOD)),
         1,
         "checkpoint_initiates from 0 to 0",
         "5"},
        {SimAi("checkpoints: 1 0 checkpoint_initiates: 1 0", Layer(GOOD)),
         1,
         "a checkpoint before each layer of checkpoint_initiates",
         "0"},
        {SimAi("checkpoint_initiates: 1 0", Layer(GOOD)),
         1,
         "a checkpoint before each layer of checkpoint_initiates",
         "0"},
        {SimAi("checkpoints: 3 0", Layer(GOOD)), 3, "a layer of the checkpoints", "mlp"},
        {"HYBRID_TRANSFORMER label\n1\n", 3, "the number of layers", "end of file"},
        {"HYBRID_TRANSFORMER label x\n", 1, "the tensor-parallel size", "x"},
        {"HYBRID_DLRM\nx\n", 2, "the last bottom layer", "x"},
        {"HYBRID_DLRM 1\n" + Layer(GOOD), 1, "a last bottom layer from 0 to 0", "1"},
        {"HYBRID_DATA_MODEL\n" + Layer(GOOD),
         1,
         "for HYBRID_DATA_MODEL, a number of neighbors by nNeighbors that divides the 8 ranks",
         "none"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD tp 2 c 1\n", 2, "a layer of the checkpoints", "end of"},
    };
}

TEST(LayerWorkload, EachMistakeHasALineAndWhatWasExpected)
{
    const auto mistakes = GetMistakes();
    EXPECT_GE(mistakes.size(), 25U);
    for (const Mistake& mistake : mistakes)
    {
        try
        {
            ParseLayerWorkload(mistake.text, WithRanks(8));
            ADD_FAILURE() << "no error: " << mistake.text;
        }
        catch (const TextError& error)
        {
            EXPECT_EQ(error.GetLine(), mistake.line) << mistake.text;
            EXPECT_EQ(error.GetExpected().substr(0, mistake.expected.size()), mistake.expected)
                << mistake.text;
            EXPECT_EQ(error.GetFound().substr(0, mistake.found.size()), mistake.found)
                << mistake.text;
        }
    }
}

TEST(LayerWorkload, NumbersThatTheUserChoosesAreCheckedToo)
{
    const auto find = [](const std::string& text, const LayerWorkloadSettings& settings) {
        return CatchMessage([&] { ParseLayerWorkload(text, settings); });
    };
    EXPECT_EQ(find(DATA_TEXT, {}),
              "line 1: expected a number of ranks from 1 to 1048576 by nRanks, as the file has no "
              "all_gpus, found \"none\"");
    EXPECT_EQ(find(DATA_TEXT, WithRanks((1U << 20) + 1)),
              "line 1: expected a number of ranks from 1 to 1048576 by nRanks, as the file has no "
              "all_gpus, found \"1048577\"");
    LayerWorkloadSettings named;
    named.ranksName = "--workload-ranks";
    EXPECT_EQ(find(DATA_TEXT, named),
              "line 1: expected a number of ranks from 1 to 1048576 by --workload-ranks, as the "
              "file has no all_gpus, found \"none\"");
    LayerWorkloadSettings settings = WithRanks(8);
    settings.nNeighbors = 3;
    const std::string customized = "HYBRID_CUSTOMIZED\n1\na -1 " + GOOD;
    EXPECT_EQ(find(customized, settings),
              "line 1: expected for HYBRID_CUSTOMIZED, a number of neighbors by nNeighbors that "
              "divides the 8 ranks, found \"3\"");
    settings.nNeighbors = 2;
    const std::string policy =
        "line 3: expected the policy (column 13) of layer 0 \"a\", which is DATA, MODEL, "
        "HYBRID_DLRM, HYBRID_DLRM_ENHANCED, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, MICRO or "
        "DISTRIBUTED_INFERENCE, found ";
    EXPECT_EQ(find(customized, settings), policy + "\"end of file\"");
    EXPECT_EQ(find(customized + " HYBRID_TRANSFORMER", settings),
              policy + "\"HYBRID_TRANSFORMER\"");
    EXPECT_EQ(find(customized + " HYBRID_CUSTOMIZED", settings), policy + "\"HYBRID_CUSTOMIZED\"");
    EXPECT_EQ(find(customized + " DATA 1", settings),
              "line 3: expected 13 columns of layer 0 \"a\", found \"1\"");
}

TEST(LayerWorkload, CollectivesThatCannotBeNameTheirLayer)
{
    const auto find = [](const std::string& text, const LayerWorkloadSettings& settings) {
        return CatchMessage(
            [&] { MakeLayerWorkloadPlan(ParseLayerWorkload(text, settings), settings); });
    };
    EXPECT_EQ(find(MakeLayers("DATA", "1 NONE 0 1 NONE 0 1 ALLGATHER 1152921504606846976 1", 1),
                   WithRanks(2)),
              "layer 0 \"l0\", weight-gradient: gathers more than 2^60 bytes");
    LayerWorkloadSettings settings = WithRanks(3);
    settings.allGather = CollectiveAlgorithm::HALVING_DOUBLING;
    const std::string error =
        find(MakeLayers("MODEL", "1 ALLGATHER 8 1 NONE 0 1 NONE 0 1", 1), settings);
    EXPECT_EQ(error.substr(0, 23), "layer 0 \"l0\", forward: ") << error;
    EXPECT_NE(error.find("power of two"), std::string::npos) << error;
}
