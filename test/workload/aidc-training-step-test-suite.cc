// SPDX-License-Identifier: GPL-2.0-only

#include "fake-message-endpoint.h"
#include "test/test-case.h"

#include "ns3/experiment-data-file.h"
#include "ns3/rank-application-helper.h"
#include "ns3/training-step-file.h"

// Tests of the files of training steps.

// Files of training steps.
AIDC_TEST_SUITE("aidc-training-step", UNIT);

/// Read a training step.
WorkloadPlan
Parse(const std::string& text, uint32_t nSteps = 1)
{
    std::istringstream stream(text);
    return ParseTrainingStepFile(stream, "t", nSteps);
}

void
Check(const std::string& text, const std::string& expected, uint32_t nSteps = 1)
{
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { Parse(text, nSteps); }), expected, text);
}

void
CheckOperations(const std::string& operations, const std::string& expected)
{
    Check("{\"ranks\": 4, \"operations\": [\n" + operations + "]}", expected);
}

/// Check wrong ways of collectives, and of messages with credits.
void
CheckCollectives()
{
    const std::string reduce = R"({"id": "a", "type": "all-reduce", "ranks": "all", "bytes": 1, )";
    CheckOperations(reduce + "\"channels\": 65}",
                    "t:2: expected \"channels\": a whole number from 1 to 64, found \"65\"");
    CheckOperations(reduce + "\"server\": 0}",
                    "t:2: expected \"server\": a whole number from 1 to 1048576, found \"0\"");
    CheckOperations(reduce + "\"server\": 3}",
                    "t:2: all-reduce by ring has a multiple of the members of a server, 3, not "
                    "4");
    CheckOperations(reduce + "\"algorithm\": \"halving-doubling\", \"channels\": 2}",
                    "t:2: all-reduce by halving-doubling has from 1 to 1 channels, not 2");
    CheckOperations(reduce + "\n\"sizes\": []}",
                    "t:3: expected one of the keys comment, id, type, ranks, after, algorithm, "
                    "chunks, channels, slots, server, bytes, group, found \"sizes\"");
    const std::string all = R"({"id": "a", "type": "all-to-all", "ranks": [0, 3], )";
    const std::string sizes = "expected \"sizes\": 2 lists, one for each rank that sends, of the "
                              "bytes for each of 2 ranks, found ";
    CheckOperations(all + "\"sizes\": 5}", "t:2: " + sizes + "\"5\"");
    CheckOperations(all + "\"sizes\": [[0, 1]]}", "t:2: " + sizes + "\"a list of 1\"");
    CheckOperations(all + "\"sizes\": [[0, 1],\n[1, 2, 3]]}", "t:3: " + sizes + "\"a list of 3\"");
    CheckOperations(all + "\"sizes\": [[0, 1], 7]}", "t:2: " + sizes + "\"7\"");
    CheckOperations(all + "\"sizes\": [[0, 1],\n[-1, 0]]}",
                    "t:3: expected bytes: a whole number from 0 to 1152921504606846976, found "
                    "\"-1\"");
    CheckOperations(all + "\"sizes\": [[1152921504606846976, 1], [0, 0]]}",
                    "t:2: member 0 sends more than 2^60 bytes");
    CheckOperations(all + "\"sizes\": [[0, 1], [1, 0]],\n\"bytes\": 1}",
                    "t:3: expected one of the keys comment, id, type, ranks, after, algorithm, "
                    "chunks, channels, slots, server, sizes, group, found \"bytes\"");
    CheckOperations(R"({"id": "a", "type": "send", "ranks": [0, 1], "bytes": 1, "rendezvous": 1})",
                    "t:2: expected \"rendezvous\": true or false, found \"1\"");
}

/// Check wrong pipelines, context groups and gradients of experts, and lists in several steps.
void
CheckParallelism()
{
    Check("{\"ranks\": 2,\n\"operations\": []}",
          "t:2: expected no \"operations\" with several passes, found \"an array\"",
          2);
    // What has no effect
    for (const std::string key : {"tensor", "expert", "data", "pipeline", "context"})
    {
        Check("{\"training\": {\n\"" + key + "\": {\"bytes\": 1}}}",
              "t:2: expected no \"" + key +
                  "\", as its groups have one rank each, found \"an object\"");
    }
    const std::string data = "{\"training\": {\"dp\": 2, \"data\": {\"bytes\": 1}";
    const std::string expert = ",\n\"expert_data\": {\"bytes\": 1}}}";
    const std::string noExpert = "expected no \"expert_data\", as its groups have one rank "
                                 "each, found \"an object\"";
    Check(data + expert, "t:2: " + noExpert);
    Check(data + ", \"ep\": 2, \"expert\": {\"bytes\": 1}" + expert, "t:2: " + noExpert);

    const std::string pipeline = "{\"training\": {\"pp\": 2, \"layers\": 6, \"microbatches\": 3,\n"
                                 "\"pipeline\": {\"bytes\": 1, \"schedule\": ";
    Check(pipeline + "\"2f2b\"}}}",
          "t:2: expected \"schedule\": gpipe, 1f1b or interleaved, found \"2f2b\"");
    Check(pipeline + "1}}}", "t:2: expected \"schedule\": gpipe, 1f1b or interleaved, found \"1\"");
    Check(pipeline + "\"1f1b\", \"chunks\": 2}}}",
          "t:2: expected one of the keys comment, bytes, schedule, found \"chunks\"");
    Check(pipeline + "\"interleaved\"}}}",
          "t:2: expected the key \"chunks\", found \"bytes, schedule\"");
    Check(pipeline + "\"interleaved\", \"chunks\": 1}}}",
          "t:2: expected \"chunks\": a whole number from 2 to 1048576, found \"1\"");
    Check(pipeline + "\"interleaved\", \"chunks\": 2}}}",
          "t:1: each chunk of a stage has as many layers, but pp * chunks, 4, does not divide "
          "6");
    Check(pipeline + "\"interleaved\", \"chunks\": 3}}}",
          "t:1: an interleaved pipeline has a multiple of its stages, 2, as microbatches, not "
          "3");

    Check("{\"training\": {\"cp\": 2, \"data\": {\"bytes\": 1}}}",
          "t:1: expected the key \"context\", found \"cp, data\"");
    const std::string context =
        "{\"training\": {\"cp\": 2, \"data\": {\"bytes\": 1},\n\"context\": {";
    Check(context + "\"share\": 1}}}", "t:2: expected the key \"bytes\", found \"share\"");
    Check(context + "\"bytes\": 1, \"share\": \"all\"}}}",
          "t:2: expected \"share\": a number from 0 to 1, found \"all\"");
    Check(context + "\"bytes\": 1, \"share\": 2}}}",
          "t:1: context: the share of a layer's computation is from 0 to 1, not 2.000000");
    Check(context + "\"bytes\": 1, \"algorithm\": \"ring\"}}}",
          "t:2: expected one of the keys comment, bytes, share, found \"algorithm\"");
}

// Wrong files end with file, line and what was expected.
AIDC_TEST_CASE("wrong files end with file, line and what was expected")
{
    // JSON
    Check("", "t:1: expected a value of JSON, found \"end of file\"");
    Check("{\n\n \"a\" 3}", "t:3: expected \":\" behind the key \"a\", found \"3\"");
    Check("{\"a\": 1 \"b\"}", "t:1: expected \",\" or \"}\", found \"\"b\"");
    Check("{\"a\": [1\n 2]}", "t:2: expected \",\" or \"]\", found \"2\"");
    Check("{\"a\": 1,\n \"a\": 2}", "t:2: expected each key once in an object, found \"a\"");
    Check("{a: 1}", "t:1: expected a key in quotation marks, found \"a\"");
    Check("{\"a\": maybe}", "t:1: expected a value of JSON, found \"maybe\"");
    Check("{\"a\": \"b\n\"}",
          "t:1: expected a quotation mark that ends the string, found \"\\x0a\"");
    Check("{\"a\": \"\\q\"}",
          "t:1: expected an escape sequence of JSON; of \\u, one for a character below U+D800 "
          "or above U+DFFF, found \"q\"");
    Check("{} 1", "t:1: expected the end of the file, found \"1\"");
    Check(std::string(70, '['),
          "t:1: expected at most 64 arrays and objects within each other, found \"[\"");

    // Keys, types and ranges
    Check("[]", "t:1: expected a training step in braces, found \"an array\"");
    Check("{\"ranks\": 4}", "t:1: expected the key \"training\", found \"ranks\"");
    Check("{\"operations\": []}", "t:1: expected the key \"ranks\", found \"operations\"");
    Check("{\"training\": {},\n \"speed\": 4}",
          "t:2: expected one of the keys comment, training, operations, ranks, found "
          "\"speed\"");
    Check("{\"training\": {\n\"dp\": \"two\"}}",
          "t:2: expected \"dp\": a whole number from 1 to 1048576, found \"two\"");
    Check("{\"training\": {\n\"dp\": -2}}",
          "t:2: expected \"dp\": a whole number from 1 to 1048576, found \"-2\"");
    Check("{\"training\": {\n\"tp\": 1.5}}",
          "t:2: expected \"tp\": a whole number from 1 to 1048576, found \"1.5\"");
    Check("{\"training\": {\"dp\": 2}}", "t:1: expected the key \"data\", found \"dp\"");
    Check("{\"training\": {\"pp\": 2}}", "t:1: expected the key \"pipeline\", found \"pp\"");
    Check("{\"training\": {\"dp\": 2,\n\"data\": {\"algorithm\": \"ring\"}}}",
          "t:2: expected the key \"bytes\", found \"algorithm\"");
    Check("{\"training\": {\"dp\": 2,\n\"data\": {\"bytes\": -1}}}",
          "t:2: expected \"bytes\": a whole number from 0 to 1152921504606846976, found "
          "\"-1\"");
    Check("{\"training\": {\"dp\": 2,\n\"data\": {\"bytes\": 1, \"algorithm\": \"star\"}}}",
          "t:2: expected \"algorithm\": ring, halving-doubling, recursive-doubling, pairwise, "
          "binomial-tree, chain, double-tree, hierarchical, direct or nvls, found \"star\"");
    Check("{\"training\": {\"dp\": 2,\n\"data\": {\"bytes\": 1, \"overlap\": 1}}}",
          "t:2: expected \"overlap\": true or false, found \"1\"");
    Check("{\"training\": {\"dp\": 2, \"data\": {\"bytes\": 1,\n\"algorithm\": \"chain\"}}}",
          "t:1: data: there is no all-reduce by chain");
    Check("{\"training\": {\"dp\": 2, \"ep\": 2, \"data\": {\"bytes\": 1},\n\"expert\": "
          "{\"bytes\": 1, \"load\": \"hot\"}}}",
          "t:2: expected \"load\": a number from 1 to \"ep\", found \"hot\"");
    Check("{\"training\": {\"dp\": 2, \"ep\": 2, \"data\": {\"bytes\": 1},\n\"expert\": "
          "{\"bytes\": 1, \"load\": 3}}}",
          "t:1: expert: the load of the first rank over the mean is from 1 to 2, not 3.000000");
    CheckParallelism();
    Check("{\"training\": {\"forward_seconds\": \"1us\"}}",
          "t:1: expected \"forward_seconds\": seconds from 0 to 1e6, found \"1us\"");
    Check("{\"ranks\": 3, \"training\": {\"dp\": 4, \"data\": {\"bytes\": 1}}}",
          "t:1: expected \"ranks\": a whole number from 4 to 1048576, found \"3\"");

    // Operations
    CheckOperations("3", "t:2: expected an operation in braces, found \"3\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"reduce\", \"ranks\": \"all\", \"bytes\": 1}",
                    "t:2: expected \"type\": compute, send, all-reduce, all-gather, "
                    "reduce-scatter, all-to-all or broadcast, found \"reduce\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"compute\", \"ranks\": \"all\"}",
                    "t:2: expected the key \"seconds\", found \"id, type, ranks\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"compute\", \"ranks\": [4], \"seconds\": 1}",
                    "t:2: expected a rank: a whole number from 0 to 3, found \"4\"");
    for (const std::string ranks : {"1-4", "3-1", "x", "0-3:0", "1-"})
    {
        CheckOperations("{\"id\": \"a\", \"type\": \"compute\", \"seconds\": 1,\n\"ranks\": [\"" +
                            ranks + "\"]}",
                        "t:3: expected \"ranks\": \"all\", or a list of ranks from 0 to 3 and "
                        "of texts as \"0-7\" or \"0-62:2\", found \"" +
                            ranks + "\"");
    }
    CheckOperations(
        "{\"id\": \"a\", \"type\": \"compute\", \"seconds\": 1, \"ranks\": [1, \"0-2\"]}",
        "t:2: expected each rank once, found \"1\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"send\", \"bytes\": 1, \"ranks\": [0, 1, 2]}",
                    "t:2: expected two ranks: the one that sends and the one that receives, "
                    "found \"3\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"broadcast\", \"bytes\": 1, \"ranks\": [0, 1],\n"
                    "\"root\": 2}",
                    "t:3: expected \"root\": one of the ranks, found \"2\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"all-gather\", \"bytes\": 1, \"ranks\": [0, 1, "
                    "2], \"algorithm\": \"halving-doubling\"}",
                    "t:2: all-gather by halving-doubling needs a power of two members, not 3");
    CheckCollectives();
    const std::string compute = "\"type\": \"compute\", \"seconds\": 1, \"ranks\": ";
    CheckOperations("{\"id\": \"a\", " + compute + "[0]},\n{\"id\": \"a\", " + compute + "[1]}",
                    "t:3: expected an id that no other operation has, found \"a\"");
    CheckOperations("{\"id\": \"a\", " + compute + "[0], \"after\": [\n\"b\"]}",
                    "t:3: expected \"after\": the id of an operation, found \"b\"");
    CheckOperations("{\"id\": \"a\", \"type\": \"all-reduce\", \"ranks\": [0], \"bytes\": 1, "
                    "\"group\": 3}",
                    "t:2: expected \"group\": a name, found \"3\"");
    CheckOperations("{\"id\": \"a\", " + compute + "[0], \"after\": \"b\"}",
                    "t:2: expected \"after\": a list of ids in brackets, found \"b\"");
    CheckOperations("{\"id\": \"a\", " + compute + "[0]},\n{\"id\": \"b\", " + compute +
                        "[1], \"after\": [\"a\"]}",
                    "t:3: expected \"after\": an operation of one of the same ranks, since "
                    "ranks hear of others by messages only, found \"a\"");
    CheckOperations("{\"id\": \"a\", " + compute + "[0], \"after\": [\"b\"]},\n{\"id\": \"b\", " +
                        compute + "[0], \"after\": [\"a\"]}",
                    "t:2: expected operations that do not wait for each other in a circle, "
                    "found \"a after b after a\"");
}

/// Execute a plan over links of 1 byte/ns and 1000 ns. Returns when ranks ended, in ns,
/// separated by spaces; and collectives, as NAME=START-END.
std::string
RunPlan(const WorkloadPlan& plan)
{
    RankApplicationHelper helper(plan);
    NodeContainer nodes(plan.GetNRanks());
    helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
    Simulator::Run();
    std::string text;
    for (const auto& record : helper.GetRankRecords())
    {
        AIDC_EXPECT(record.isDone, "done");
        text += std::to_string(record.finish.GetNanoSeconds()) + " ";
    }
    for (const auto& record : helper.GetCollectiveRecords())
    {
        AIDC_EXPECT(record.isDone, record.name);
        text += record.name + "=" + std::to_string(record.start.GetNanoSeconds()) + "-" +
                std::to_string(record.finish.GetNanoSeconds()) + " ";
    }
    Simulator::Destroy();
    return text;
}

/// Run collectives with channels, servers and sizes, and a message with a credit.
void
RunWays()
{
    // Two channels of 100 bytes, two steps of 50: the second channel's messages behind the
    // first one's, at 1100 and 2150; 1000 ns more for the acknowledgment
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 2, "operations": [
        {"id": "a", "type": "all-reduce", "ranks": "all", "bytes": 200, "channels": 2}]})")),
                          "3150 3150 a=0-3150 ",
                          "channels");
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"training": {"dp": 2, "data":
        {"bytes": 200, "channels": 2}}})")),
                          "3150 3150 data/layer-0/rank-0=0-3150 ",
                          "channels of a training step");
    // One message at a time, two chunks in two steps: 50 ns, and 2000 ns until the sender has
    // the acknowledgment
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"training": {"dp": 2, "data":
        {"bytes": 200, "chunks": 2, "slots": 1}}})")),
                          "8200 8200 data/layer-0/rank-0=0-8200 ",
                          "slots");
    // 1200 ns in the server, twice 1100 along the rail, 1200 in the server
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 4, "operations": [
        {"id": "a", "type": "all-reduce", "ranks": "all", "bytes": 400, "server": 2,
         "algorithm": "hierarchical"}]})")),
                          "5600 5600 5600 5600 a=0-5600 ",
                          "hierarchical");
    // Rank 0 has its acknowledgment at 2100, rank 1 at 2300
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 2, "operations": [
        {"id": "a", "type": "all-to-all", "ranks": "all", "sizes": [[9, 100], [300, 9]],
         "algorithm": "direct"}]})")),
                          "2100 2300 a=0-2300 ",
                          "sizes");
    // Nothing to send takes no time, and no message
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 2, "operations": [
        {"id": "a", "type": "all-to-all", "ranks": "all", "sizes": [[9, 0], [0, 0]]},
        {"id": "b", "type": "all-to-all", "ranks": "all", "bytes": 0}]})")),
                          "0 0 a=0-0 b=0-0 ",
                          "all-to-alls without bytes");
    // Three of 100 bytes by one adapter, the last one acknowledged 2000 ns later; by default,
    // all are under way at once
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 4, "operations": [
        {"id": "a", "type": "all-to-all", "ranks": "all", "bytes": 400}]})")),
                          "2300 2300 2300 2300 a=0-2300 ",
                          "direct all-to-all");
    // The credit is there at 1000, the message at 2500
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 2, "operations": [
        {"id": "a", "type": "send", "ranks": [0, 1], "bytes": 500, "rendezvous": true}]})")),
                          "3500 2500 ",
                          "rendezvous");
}

// Steps are executed as they are described.
AIDC_TEST_CASE("steps are executed as they are described")
{
    // Operations in any order of the file. Rank 0 computes 2000 ns, then sends 500 bytes to
    // rank 2; after that the ring of ranks 0 and 2: two steps of 100 bytes.
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 3, "operations": [
            {"id": "sum \u00e9", "type": "all-reduce", "ranks": ["0-2:2"], "bytes": 200,
             "after": ["message", "work"]},
            {"id": "message", "type": "send", "ranks": [0, 2], "bytes": 5e2, "after": ["work"]},
            {"id": "work", "type": "compute", "ranks": "all", "seconds": 2e-6}]})")),
                          // Sent at 2000, there at 3500, acknowledged at 4500. Rank 0 has
                          // the first message of the ring at 4600, rank 2 at 5600, so that
                          // its answer arrives at 6700 and is acknowledged at 7700.
                          "6700 2000 7700 sum \xc3\xa9=3500-7700 ",
                          "operations");

    // A pipeline of 2 stages and 3 microbatches: (3 + 2 - 1) * 3000 ns, and a latency forward
    // and one backward. Rank 1 has computed 9000 ns from 2000 on; its last message is
    // acknowledged two latencies later
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"training": {"pp": 2, "microbatches": 3,
            "forward_seconds": 1e-6, "backward_seconds": 2e-6, "pipeline": {"bytes": 0}}})")),
                          "14000 13000 ",
                          "pipeline");

    // Two chunks of a layer in each stage. Forward: stage 0 computes chunk a at 0 and 1000,
    // stage 1 from 2000 on, stage 0 chunk b from 4000 on, stage 1 from 6000 to 8000. Backward
    // it computes from 8000 to 12000, stage 0 from 11000 to 15000, stage 1 from 14000 to 18000
    // and stage 0 from 17000 to 21000; the last message is sent at 18000
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"training": {"pp": 2, "microbatches": 2, "layers": 4,
            "forward_seconds": 1e-6, "backward_seconds": 2e-6,
            "pipeline": {"bytes": 0, "schedule": "interleaved", "chunks": 2}}})")),
                          "21000 20000 ",
                          "interleaved pipeline");

    // A block is there at 1500, so the second part is computed until 2500. Backward, a block
    // is there at 4000, and its gradients at 5500
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"training": {"cp": 2, "forward_seconds": 2e-6,
            "context": {"bytes": 500}, "data": {"bytes": 0}}})")),
                          "8500 8500 data/layer-0/rank-0=5500-8500 ",
                          "context");

    // Gradients of the last layer are reduced while the first layer goes backward
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(R"({"ranks": 3, "training": {"dp": 2, "layers": 2,
            "backward_seconds": 5e-6, "data": {"bytes": 200}}})")),
                          "13200 13200 0 data/layer-1/rank-0=5000-8200 "
                          "data/layer-0/rank-0=10000-13200 ",
                          "overlap");

    // Two all-reduces of the same ranks take 2 steps of 1100 ns and 1000 ns for the last
    // acknowledgment each, one after another. In another group, the second one begins at once: its
    // messages of 100 bytes are sent behind the messages of the first one.
    const std::string sum = R"("type": "all-reduce", "ranks": "all", "bytes": 200)";
    const std::string a = R"({"ranks": 2, "operations": [{"id": "a", )" + sum + "}, ";
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(a + R"({"id": "b", )" + sum + "}]}")),
                          "6400 6400 a=0-3200 b=3200-6400 ",
                          "collectives of a group");
    NS_TEST_EXPECT_MSG_EQ(RunPlan(Parse(a + R"({"id": "b", "group": "x", )" + sum + "}]}")),
                          "3300 3300 a=0-3200 b=0-3300 ",
                          "collectives of two groups");
    RunWays();
}

AIDC_TEST_CASE("the examples are steps of 16 ranks")
{
    for (const auto& [name, nCollectives] :
         {std::make_pair("data-parallel-16", 4U),
          // 2 all-reduces a layer, microbatch and direction in each of 4 groups of tensors; in
          // each of 4 groups of data, a layer of its stage is scattered and gathered: 8 * 2 *
          // 4 * 4 * 2 + 4 * 4 * 2
          std::make_pair("dp4-tp2-pp2", 8U * 2 * 4 * 4 * 2 + 4 * 4 * 2)})
    {
        const auto path = FindDataFile("training/" + std::string(name) + ".json");
        const WorkloadPlan plan = ReadTrainingStepFile(path);
        NS_TEST_EXPECT_MSG_EQ(plan.GetNRanks(), 16, name);
        RankApplicationHelper helper(plan);
        NodeContainer nodes(16);
        helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 0.08, NanoSeconds(2000)));
        Simulator::Run();
        AIDC_EXPECT(helper.IsDone(), name);
        NS_TEST_EXPECT_MSG_EQ(helper.GetCollectiveRecords().size(), nCollectives, name);
        Simulator::Destroy();
    }
}
