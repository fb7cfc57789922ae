// SPDX-License-Identifier: GPL-2.0-only

// Chakra traces in JSON, as Chakra's feeder reads them.

#include "model/core/workload/chakra-json.h"
#include "model/core/workload/chakra-plan.h"
#include "test/core/core-test.h"

/// A computation of 7 us, an all-gather of 2 MiB a rank, and a computation of 3 us.
const std::string THREE =
    "{\"workload_name\": \"w\", \"ngpus\": 4, \"workload_graph\":[\n"
    "{\"Id\":1,\"Name\":\"f\",\"NodeType\":4,\"is_cpu_op\":false,\"runtime\":7,\"data_deps\":[]},\n"
    "{\"Id\":2,\"Name\":\"ag\",\"NodeType\":7,\"is_cpu_op\":false,\"data_deps\":[1],"
    "\"comm_type\":2,\"comm_size\":2097152},\n"
    "{\"Id\":3,\"Name\":\"u\",\"NodeType\":4,\"is_cpu_op\":false,\"runtime\":3,\"data_deps\":[2]}"
    "]}";

/// The same as bytes, written by an encoder of its own.
const std::string THREE_BYTES =
    "070a05302e302e34"
    "19080112016618043807520e0a0969735f6370755f6f70d80100"
    "3c08021202616718072a0101520e0a0969735f6370755f6f70d80100520d0a09636f6d6d5f747970653802"
    "52100a09636f6d6d5f73697a654880808001"
    "1c080312017518042a01023803520e0a0969735f6370755f6f70d80100";

std::string
Print(const WorkloadPlan& plan)
{
    std::string text;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            text += std::to_string(rank) + ": " + program.Describe(i);
            for (const uint32_t other : program.GetAfter(i))
            {
                text += " " + std::to_string(other);
            }
            text += "\n";
        }
    }
    return text;
}

TEST(ChakraJson, SaysTheSameAsTheBinaryFormat)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i < THREE_BYTES.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(THREE_BYTES.substr(i, 2), nullptr, 16)));
    }
    const ChakraTrace trace = DecodeChakraTrace(bytes.data(), bytes.size());
    ASSERT_EQ(trace.nodes.size(), 3U);
    const ChakraTrace text = DecodeChakraJson(THREE);
    const WorkloadPlan plan = MakeChakraPlan({text, text, text, text}, {});
    EXPECT_EQ(Print(plan), Print(MakeChakraPlan({trace, trace, trace, trace}, {})));
    EXPECT_EQ(Print(plan).substr(0, 116),
              "0: computation of 7000 ns\n"
              "0: all-gather of 8388608 bytes 0\n"
              "0: computation of 3000 ns 1\n"
              "1: computation of 7000 ns\n"
              "1: ");
}

TEST(ChakraJson, AllThatCommunicatesIsRead)
{
    const ChakraTrace trace = DecodeChakraJson(
        "\xef\xbb\xbf{\"workload_graph\": [{\"Id\": 18446744073709551615, \"Name\": \"s\", "
        "\"NodeType\": 5, \"is_cpu_op\": true, \"data_deps\": [9007199254740993, 2], \"ctrlDeps\": "
        "[4], \"comm_size\": 9223372036854775807, \"comm_src\": 0, \"comm_dst\": 1e1, "
        "\"comm_tag\": 3, \"comm_priority\": 0, \"tensor_size\": 64, \"pg_name\": \"7\"}, "
        "{\"Id\": 2, \"Name\": \"m\", \"NodeType\": 9, \"is_cpu_op\": false, \"data_deps\": []}]}");
    ASSERT_EQ(trace.nodes.size(), 2U);
    const ChakraNode& send = trace.nodes[0];
    EXPECT_EQ(send.id, UINT64_MAX);
    EXPECT_EQ(send.type, ChakraNodeType::SEND);
    EXPECT_EQ(send.isCpuOperation, 1);
    EXPECT_EQ(send.dataDependencies, (std::vector<uint64_t>{9007199254740993, 2})); // above 2^53
    EXPECT_EQ(send.controlDependencies, std::vector<uint64_t>{4});
    EXPECT_EQ(send.communicationSize, INT64_MAX);
    EXPECT_EQ(send.source, 0);
    EXPECT_EQ(send.destination, 10);
    EXPECT_EQ(send.tag, 3);
    EXPECT_EQ(send.tensorSize, 64);
    EXPECT_EQ(send.group, "7");
    EXPECT_FALSE(send.communicationType);
    EXPECT_EQ(trace.nodes[1].type, static_cast<ChakraNodeType>(9));
    const ChakraTrace nothing = DecodeChakraJson(
        "{\"workload_graph\": [{\"Id\": 1, \"Name\": \"no time\", \"NodeType\": 4, "
        "\"is_cpu_op\": false, \"data_deps\": []}]}");
    EXPECT_EQ(nothing.nodes.at(0).durationMicros, 0U);
}

TEST(ChakraJson, EachMistakeHasALineAndWhatWasExpected)
{
    const std::string graph = "line 1: expected an object with \"workload_graph\", a list of nodes";
    const std::string first = "node 0 of \"workload_graph\"";
    const auto withNode = [](const std::string& node) {
        return "{\"workload_graph\":[\n" + node + "]}";
    };
    const auto with = [&withNode](const std::string& rest) {
        return withNode("{\"Id\":5,\"Name\":\"n\"," + rest + "}");
    };
    const std::string comp = "\"NodeType\":4,\"is_cpu_op\":false,\"data_deps\":[]";
    const std::string coll = "\"NodeType\":7,\"is_cpu_op\":false,\"data_deps\":[],";
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"", "line 1: expected a value of JSON, found \"end of file\""},
        {"[]", graph + ", found \"an array\""},
        {"{}", graph + ", found \"an object\""},
        {"{\"workload_graph\":\n{}}",
         "line 2: expected an object with \"workload_graph\", a list of nodes, found \"an "
         "object\""},
        {"{\"workload_graph\":[]", "line 1: expected \",\" or \"}\", found \"end of file\""},
        {THREE + "]", "line 4: expected the end of the file, found \"]\""},
        {"{\n  \"version\": \"0.0.4\"\n}{\n  \"id\": \"1\", \"type\": \"COMP_NODE\"\n}",
         graph +
             "; the .et file of which chakra_jsonizer has made this text can be read, found \"a "
             "dump of chakra_jsonizer\""},
        {withNode("3"), "line 2: expected an object as " + first + ", found \"3\""},
        {withNode("{}"), "line 2: expected \"Id\" of " + first + ", found \"no key\""},
        {withNode("{\"Id\":-1}"),
         "line 2: expected \"Id\" of " + first +
             ", a whole number from 0 to 18446744073709551615, found \"-1\""},
        {withNode("{\"Id\":1.5}"),
         "line 2: expected \"Id\" of " + first +
             ", a whole number from 0 to 18446744073709551615, found \"1.5\""},
        {withNode("{\"Id\":18446744073709551616}"),
         "line 2: expected \"Id\" of " + first +
             ", a whole number from 0 to 18446744073709551615, found \"18446744073709551616\""},
        {withNode("{\"Id\":\"1\"}"),
         "line 2: expected \"Id\" of " + first +
             ", a whole number from 0 to 18446744073709551615, found \"1\""},
        {withNode("{\"Id\":5}"), "line 2: expected \"Name\" of " + first + ", found \"Id\""},
        {withNode("{\"Id\":5,\"Name\":5}"),
         "line 2: expected \"Name\" of " + first + ", a text, found \"5\""},
        {withNode("{\"Id\":5,\"Name\":\"n\"}"),
         "line 2: expected \"NodeType\" of node 5 (n), found \"Id, Name\""},
        {with("\"NodeType\":\"COMP_NODE\""), graph + "; the .et file"}, // no: it has workload_graph
        {with("\"NodeType\":4"),
         "line 2: expected \"is_cpu_op\" of node 5 (n), found \"Id, Name, NodeType\""},
        {with("\"NodeType\":4,\"is_cpu_op\":0"),
         "line 2: expected \"is_cpu_op\" of node 5 (n), true or false, found \"0\""},
        {with("\"NodeType\":4,\"is_cpu_op\":true"),
         "line 2: expected \"data_deps\" of node 5 (n), found \"Id, Name, NodeType, is_cpu_op\""},
        {with("\"NodeType\":4,\"is_cpu_op\":true,\"data_deps\":3"),
         "line 2: expected \"data_deps\" of node 5 (n), a list of ids in brackets, found \"3\""},
        {with("\"NodeType\":4,\"is_cpu_op\":true,\"data_deps\":[\"3\"]"),
         "line 2: expected \"data_deps\" of node 5 (n), a whole number from 0 to "
         "18446744073709551615, found \"3\""},
        {with(comp + ",\"runtime\":9223372036854775808"),
         "line 2: expected \"runtime\" of node 5 (n), a whole number from 0 to "
         "9223372036854775807, found \"9223372036854775808\""},
        {with(coll + "\"comm_size\":9.1e15"),
         "line 2: expected \"comm_size\" of node 5 (n), a whole number from 0 to "
         "9223372036854775807, found \"9.1e15\""},
        {with(coll + "\"comm_size\":-1"),
         "line 2: expected \"comm_size\" of node 5 (n), a whole number from 0 to "
         "9223372036854775807, found \"-1\""},
        {with(coll + "\"pg_name\":[1]"),
         "line 2: expected \"pg_name\" of node 5 (n), a text, found \"an array\""},
        {with("\"Id\":6"), "line 2: expected each key once in an object, found \"Id\""},
    };
    for (const auto& [text, expected] : mistakes)
    {
        const std::string message = CatchMessage([&t = text] { DecodeChakraJson(t); });
        if (expected == graph + "; the .et file")
        {
            EXPECT_EQ(message,
                      "line 2: expected \"NodeType\" of node 5 (n), a whole number from 0 to "
                      "4294967295, found \"COMP_NODE\"");
            continue;
        }
        EXPECT_EQ(message, expected) << text;
    }
}

TEST(ChakraJson, PlansNameNodesThatDoNotFit)
{
    const auto find = [](const std::string& text) {
        return CatchMessage([&text] {
            const ChakraTrace trace = DecodeChakraJson(text);
            MakeChakraPlan({trace, trace}, {});
        });
    };
    const auto replace = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_EQ(find(replace(THREE, "\"Id\":3", "\"Id\":2")),
              "node 2 (ag) has an id that another node has");
    EXPECT_EQ(find(replace(THREE, "\"data_deps\":[2]", "\"data_deps\":[9]")),
              "node 3 (u) depends on node 9, which there is not");
    EXPECT_EQ(find(replace(THREE, "\"data_deps\":[]", "\"data_deps\":[3]")),
              "node 1 (f) waits for itself: it is one of 3 nodes that depend on each other, and "
              "depends on node 3");
    EXPECT_EQ(find(replace(THREE, "\"comm_size\":2097152", "\"comm_siz\":2097152")),
              "node 2 (ag) has no comm_size");
    EXPECT_EQ(find(replace(THREE, "\"comm_type\":2", "\"comm_type\":11")),
              "node 2 (ag) has the comm_type 11, not from 0 to 9");
}

RC_GTEST_PROP(ChakraJson, NodesAreReadAsTheyAreWritten, ())
{
    std::string text;
    std::vector<ChakraNode> nodes;
    for (auto n = DrawInRange(0, 5); n > 0; --n)
    {
        ChakraNode node;
        node.id = DrawAny<uint64_t>();
        node.type = static_cast<ChakraNodeType>(DrawInRange<uint32_t>(0, 10));
        node.dataDependencies = *rc::gen::arbitrary<std::vector<uint64_t>>();
        node.durationMicros = DrawInRange<uint64_t>(0, INT64_MAX);
        std::string ids;
        for (const uint64_t id : node.dataDependencies)
        {
            ids += (ids.empty() ? "" : ", ") + std::to_string(id);
        }
        text += (nodes.empty() ? "" : ",") + std::string("{\"Name\": \"\", \"Id\": ") +
                std::to_string(node.id) +
                ", \"NodeType\": " + std::to_string(static_cast<uint32_t>(node.type)) +
                ", \"is_cpu_op\": false, \"data_deps\": [" + ids +
                "], \"runtime\": " + std::to_string(node.durationMicros) + "}";
        nodes.push_back(node);
    }
    const ChakraTrace trace = DecodeChakraJson("{\"workload_graph\": [" + text + "]}");
    RC_ASSERT(trace.nodes.size() == nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        RC_ASSERT(trace.nodes[i].id == nodes[i].id);
        RC_ASSERT(trace.nodes[i].type == nodes[i].type);
        RC_ASSERT(trace.nodes[i].dataDependencies == nodes[i].dataDependencies);
        if (nodes[i].type == ChakraNodeType::COMPUTE)
        {
            RC_ASSERT(trace.nodes[i].durationMicros == nodes[i].durationMicros);
        }
    }
}
