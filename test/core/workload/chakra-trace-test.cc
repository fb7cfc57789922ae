/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Chakra traces: their bytes, and the programs that are made of them.

#include "../catch-message.h"
#include "model/core/workload/chakra-plan.h"
#include "model/core/workload/chakra-trace.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::aidc;
using aidctest::CatchMessage;

namespace
{

// Written by the protobuf library of Google, of the schema of MLCommons Chakra
const std::string METADATA = "070a05302e302e34";
const std::string COMPUTATION = "171201631804380a520e0a0969735f6370755f6f70d80100";
const std::string COLLECTIVE =
    "4c08ac021202617218072a0100520e0a0969735f6370755f6f70d80100520d0a09636f6d6d5f7479706548005210"
    "0a09636f6d6d5f73697a654880808002520d0a0770675f6e616d65ea010131";
const std::string SEND =
    "4c08ad0212017318052202ac022a0300ac02520f0a09636f6d6d5f73697a6548808040520c0a08636f6d6d5f7372"
    "633800520c0a08636f6d6d5f6473743801520c0a08636f6d6d5f7461673807";

/// Bytes of hexadecimal digits.
std::vector<uint8_t>
GetBytes(const std::string& hex)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

ChakraTrace
Decode(const std::string& hex)
{
    const auto bytes = GetBytes(hex);
    return DecodeChakraTrace(bytes.data(), bytes.size());
}

std::string
DecodeError(const std::string& hex)
{
    return CatchMessage([&hex] { Decode(hex); });
}

TEST(ChakraTrace, GoldenBytesAreUnderstood)
{
    const ChakraTrace trace = Decode(METADATA + COMPUTATION + COLLECTIVE + SEND);
    EXPECT_EQ(trace.version, "0.0.4");
    ASSERT_EQ(trace.nodes.size(), 3U);
    const ChakraNode& computation = trace.nodes[0];
    EXPECT_EQ(computation.id, 0U);
    EXPECT_EQ(computation.name, "c");
    EXPECT_EQ(computation.type, ChakraNodeType::COMPUTE);
    EXPECT_EQ(computation.durationMicros, 10U);
    EXPECT_EQ(computation.isCpuOperation, 0);
    EXPECT_FALSE(computation.communicationSize);
    const ChakraNode& collective = trace.nodes[1];
    EXPECT_EQ(collective.id, 300U);
    EXPECT_EQ(collective.name, "ar");
    EXPECT_EQ(collective.type, ChakraNodeType::COLLECTIVE);
    EXPECT_EQ(collective.dataDependencies, std::vector<uint64_t>{0});
    EXPECT_EQ(collective.communicationType, 0); // a zero in a oneof is written
    EXPECT_EQ(collective.communicationSize, 4194304);
    EXPECT_EQ(collective.group, "1");
    const ChakraNode& send = trace.nodes[2];
    EXPECT_EQ(send.id, 301U);
    EXPECT_EQ(send.type, ChakraNodeType::SEND);
    EXPECT_EQ(send.dataDependencies, (std::vector<uint64_t>{0, 300}));
    EXPECT_EQ(send.controlDependencies, std::vector<uint64_t>{300});
    EXPECT_EQ(send.communicationSize, 1 << 20);
    EXPECT_EQ(send.source, 0);
    EXPECT_EQ(send.destination, 1);
    EXPECT_EQ(send.tag, 7);
}

TEST(ChakraTrace, DependenciesMayBePackedOrNot)
{
    const ChakraTrace trace = Decode(METADATA + "08" + "08ad02" + "2800" + "28ac02");
    ASSERT_EQ(trace.nodes.size(), 1U);
    EXPECT_EQ(trace.nodes[0].id, 301U);
    EXPECT_EQ(trace.nodes[0].dataDependencies, (std::vector<uint64_t>{0, 300}));
}

TEST(ChakraTrace, EmptyMetadataIsOneByte)
{
    const ChakraTrace trace = Decode("00" + COMPUTATION);
    EXPECT_EQ(trace.version, "");
    EXPECT_EQ(trace.nodes.size(), 1U);
    EXPECT_TRUE(Decode(METADATA).nodes.empty());
}

/// A node whose attribute num_ops has a value, from the key of its field on.
ChakraNode
DecodeValue(const std::string& value)
{
    const auto prefix = [](const std::string& hex) {
        static constexpr char DIGITS[] = "0123456789abcdef";
        return std::string{DIGITS[hex.size() / 32], DIGITS[hex.size() / 2 % 16]} + hex;
    };
    const std::string attribute = "0a076e756d5f6f7073" + value;
    return Decode(METADATA + prefix("52" + prefix(attribute))).nodes.at(0);
}

TEST(ChakraTrace, AnyKindOfWholeNumberIsTaken)
{
    for (const std::string value : {"3805",                  // int32
                                    "4805",                  // int64
                                    "5805",                  // uint32
                                    "6805",                  // uint64
                                    "780a",                  // sint32
                                    "88010a",                // sint64
                                    "9d0105000000",          // fixed32
                                    "a9010500000000000000",  // fixed64
                                    "bd0105000000",          // sfixed32
                                    "c9010500000000000000"}) // sfixed64
    {
        EXPECT_EQ(DecodeValue(value).nOperations, 5) << value;
    }
    EXPECT_EQ(DecodeValue("48ffffffffffffffffff01").nOperations, -1);
    EXPECT_EQ(DecodeValue("48ffffffffffffffff7f").nOperations, INT64_MAX);
    EXPECT_EQ(DecodeValue("7809").nOperations, -5);
    EXPECT_EQ(DecodeValue("bd01fbffffff").nOperations, -5);
    EXPECT_EQ(DecodeValue("d80101").nOperations, 1); // bool
}

TEST(ChakraTrace, NamesTheNodeThatIsWrong)
{
    EXPECT_EQ(DecodeError(""), "message at byte 0: expected a number, found the end");
    EXPECT_EQ(DecodeError("1f8b0800"), "gzip-compressed bytes");
    // A node of version 0.0.3, which has no GlobalMetadata
    EXPECT_EQ(DecodeError("0408001804"),
              "message at byte 0: expected GlobalMetadata first, found none, as in version 0.0.3 "
              "and before, which mean other things by the same fields: convert the trace to 0.0.4");
    EXPECT_EQ(DecodeError("070a05302e302e33"),
              "message at byte 0: expected version 0.0.4, found 0.0.3: convert the trace");
    EXPECT_EQ(DecodeError(METADATA + "05080712"), "message at byte 8: expected 5 bytes, found 3");
    EXPECT_EQ(DecodeError(METADATA + "050807120562"),
              "node 7 (), message at byte 8: expected 5 bytes, found 1");
    EXPECT_EQ(DecodeError(METADATA + "0408072101"),
              "node 7 (), message at byte 8: expected a number, found the end");
    EXPECT_EQ(DecodeError(METADATA + "03080723"),
              "node 7 (), message at byte 8: expected a field of type 0, 1, 2 or 5, found one of "
              "type 3");
    EXPECT_EQ(DecodeError(METADATA + "0408070001"),
              "node 7 (), message at byte 8: expected a field of number 1 to 536870911, found "
              "number 0");
    EXPECT_EQ(DecodeError(METADATA + "0508071a0101"),
              "node 7 (), message at byte 8: expected a field \"type\" of wire type 0, found wire "
              "type 2");
    EXPECT_EQ(DecodeError(METADATA + "0b08ffffffffffffffffff02"),
              "message at byte 8: expected a number of at most 64 bits, found more");
    EXPECT_EQ(DecodeError(METADATA + "0c08ffffffffffffffffff8101"),
              "message at byte 8: expected a number of at most 64 bits, found more");
    EXPECT_EQ(CatchMessage([] { DecodeValue("ea010131"); }),
              "message at byte 8: expected a whole number below 2^63 as attribute \"num_ops\"");
}

TEST(ChakraTrace, NamesAreShownInPrintableCharacters)
{
    ChakraNode node;
    node.id = 5;
    node.name = "\x1f\x20\x7e\x7f\x20\xff";
    EXPECT_EQ(DescribeChakraNode(node), "node 5 (? ~? ?)");
}

// --- Programs ---

ChakraNode
MakeNode(uint64_t id, ChakraNodeType type, const std::vector<uint64_t>& after)
{
    ChakraNode node;
    node.id = id;
    node.name = "n";
    node.type = type;
    node.dataDependencies = after;
    return node;
}

ChakraNode
MakeComputation(uint64_t id, uint64_t micros, const std::vector<uint64_t>& after = {})
{
    ChakraNode node = MakeNode(id, ChakraNodeType::COMPUTE, after);
    node.durationMicros = micros;
    return node;
}

ChakraNode
MakeCollective(uint64_t id, int64_t type, int64_t bytes, const std::string& group = "")
{
    ChakraNode node = MakeNode(id, ChakraNodeType::COLLECTIVE, {});
    node.communicationType = type;
    node.communicationSize = bytes;
    node.group = group;
    node.durationMicros = 1000; // not used
    return node;
}

ChakraNode
MakeMessage(uint64_t id, bool isSend, int64_t peer, int64_t bytes)
{
    ChakraNode node = MakeNode(id, isSend ? ChakraNodeType::SEND : ChakraNodeType::RECEIVE, {});
    (isSend ? node.destination : node.source) = peer;
    node.tensorSize = bytes;
    return node;
}

/// What the operations of a rank are, and what they wait for.
std::string
Print(const WorkloadPlan& plan, uint32_t rank)
{
    std::string text;
    const RankProgram& program = plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        text += program.Describe(i);
        if (program.Get(i).kind == RankOperationKind::COMPUTE)
        {
            text += " by " + std::to_string(program.Get(i).peer);
        }
        for (const uint32_t other : program.GetAfter(i))
        {
            text += " " + std::to_string(other);
        }
        text += "\n";
    }
    return text;
}

TEST(ChakraPlan, GoldenTracesAreExecuted)
{
    ChakraTrace receiver = Decode(METADATA + COMPUTATION + COLLECTIVE);
    receiver.nodes.push_back(MakeMessage(400, false, 0, 1 << 20));
    receiver.nodes.back().tag = 7;
    ChakraSettings settings;
    settings.groups["1"] = {1, 0};
    const std::vector<ChakraTrace> traces = {Decode(METADATA + COMPUTATION + COLLECTIVE + SEND),
                                             receiver};
    const WorkloadPlan plan = MakeChakraPlan(traces, settings);
    EXPECT_EQ(Print(plan, 0),
              "computation of 10000 ns by 0\n"
              "all-reduce of 4194304 bytes 0\n"
              "send of 1048576 bytes to rank 1 with tag 7 0 1\n");
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).member, 1U);
    EXPECT_EQ(plan.GetProgram(1).GetCollective(1).member, 0U);
    EXPECT_EQ(plan.GetItems().at(1).name, "node 300 (ar)");
}

TEST(ChakraPlan, DependenciesMayPointForwardAndControlIsAnOption)
{
    ChakraTrace trace;
    trace.nodes = {MakeComputation(5, 1, {90}),
                   MakeComputation(90, 2),
                   MakeNode(7, ChakraNodeType::METADATA, {5}),
                   MakeNode(8, static_cast<ChakraNodeType>(9), {7})};
    trace.nodes[1].isCpuOperation = 1;
    trace.nodes[3].controlDependencies = {90};
    ChakraSettings settings;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0),
              "computation of 2000 ns by 1\n"
              "computation of 1000 ns by 0 0\n"
              "computation of 0 ns by 2 1\n"
              "computation of 0 ns by 2 2\n");
    settings.waitsForControl = true;
    EXPECT_EQ(Print(MakeChakraPlan({trace}, settings), 0).substr(85),
              "computation of 0 ns by 2 2 0\n");
}

TEST(ChakraPlan, CollectivesAreMatchedByTheirNumberInTheGroup)
{
    ChakraSettings settings;
    settings.groups["g"] = {0, 2};
    settings.allGather = CollectiveAlgorithm::HALVING_DOUBLING;
    std::vector<ChakraTrace> traces(3);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        // Other ids at each rank
        traces[rank].nodes.push_back(MakeCollective(10 + rank, 9, 0));
        if (rank != 1)
        {
            traces[rank].nodes.push_back(MakeCollective(20 + rank, 2, 100, "g"));
        }
        traces[rank].nodes.push_back(MakeCollective(30 + rank, 6, 90));
    }
    const WorkloadPlan plan = MakeChakraPlan(traces, settings);
    EXPECT_EQ(Print(plan, 1), "all-reduce of 0 bytes\nall-to-all of 90 bytes 0\n");
    // Each of two ranks puts 100 bytes in
    EXPECT_EQ(Print(plan, 2),
              "all-reduce of 0 bytes\nall-gather of 200 bytes\nall-to-all of 90 bytes 0\n");
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).schedule.GetAlgorithm(),
              CollectiveAlgorithm::HALVING_DOUBLING);
    EXPECT_EQ(plan.GetProgram(0).Get(1).tag, plan.GetProgram(2).Get(1).tag);
}

TEST(ChakraPlan, CollectivesOfAGroupFollowEachOtherById)
{
    // At rank 0 the first one waits for a computation that stands behind the second one
    std::vector<ChakraTrace> traces(2);
    for (auto& trace : traces)
    {
        trace.nodes = {MakeCollective(10, 0, 8), MakeCollective(20, 0, 9)};
    }
    traces[0].nodes[0].dataDependencies = {30};
    traces[0].nodes.push_back(MakeComputation(30, 1));
    const WorkloadPlan plan = MakeChakraPlan(traces, {});
    EXPECT_EQ(Print(plan, 0),
              "computation of 1000 ns by 0\n"
              "all-reduce of 8 bytes 0\n"
              "all-reduce of 9 bytes 1\n");
    EXPECT_EQ(Print(plan, 1), "all-reduce of 8 bytes\nall-reduce of 9 bytes 0\n");
    traces[0].nodes[0].dataDependencies = {20};
    EXPECT_EQ(CatchMessage([&traces] { MakeChakraPlan(traces, {}); }),
              "node 10 (n) waits for itself: it is one of 2 nodes that depend on each other, and "
              "depends on node 20");
}

TEST(ChakraPlan, RefusesAGroupWithARankTooMany)
{
    ChakraTrace trace;
    trace.nodes = {MakeCollective(3, 0, 5, "g")};
    ChakraSettings settings;
    settings.groups["g"] = {0, 2};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace, trace}, settings); }),
              "node 3 (n) is of the process group \"g\", which has rank 2 twice, or there is no "
              "such rank");
    settings.groups["g"] = {0, 1, 0};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({trace, trace}, settings); }),
              "node 3 (n) is of the process group \"g\", which has rank 0 twice, or there is no "
              "such rank");
}

/// The error of two ranks, the second of which has an empty trace.
std::string
PlanError(const std::vector<ChakraNode>& nodes)
{
    return CatchMessage([&nodes] {
        ChakraTrace trace;
        trace.nodes = nodes;
        MakeChakraPlan({trace, {}}, {});
    });
}

TEST(ChakraPlan, NamesTheNodeThatIsNotSupported)
{
    using Type = ChakraNodeType;
    EXPECT_EQ(PlanError({MakeNode(3, Type::INVALID, {})}), "node 3 (n) has no type");
    EXPECT_EQ(PlanError({MakeNode(3, Type::MEMORY_LOAD, {})}),
              "node 3 (n) is an access to remote memory, which is not supported");
    for (const int64_t type : {1, 3, 4})
    {
        EXPECT_EQ(PlanError({MakeCollective(3, type, 5)}),
                  "node 3 (n) is a reduce, gather or scatter, which are not supported");
    }
    EXPECT_EQ(PlanError({MakeCollective(3, 10, 5)}),
              "node 3 (n) has the comm_type 10, not from 0 to 9");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, -5)}),
              "node 3 (n) has the comm_size -5, not from 0 to 1152921504606846976");
    EXPECT_EQ(PlanError({MakeCollective(3, 2, 1LL << 60)}),
              "node 3 (n) gathers more than 2^60 bytes");
    EXPECT_EQ(PlanError({MakeNode(3, Type::COLLECTIVE, {})}), "node 3 (n) has no comm_type");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, 5, "x")}),
              "node 3 (n) is of the process group \"x\", whose ranks are not known");
    EXPECT_EQ(PlanError({MakeCollective(3, 0, 5)}),
              "node 3 (n) is number 0 of its process group, which 1 of 2 ranks have");
    EXPECT_EQ(PlanError({MakeNode(3, Type::SEND, {})}), "node 3 (n) has no comm_dst");
    ChakraNode empty = MakeMessage(3, true, 1, 5);
    empty.tensorSize.reset();
    EXPECT_EQ(PlanError({empty}), "node 3 (n) has no comm_size or tensor_size");
    EXPECT_EQ(PlanError({MakeMessage(3, true, 2, 5)}),
              "node 3 (n) has the comm_dst 2, not from 0 to 1");
    EXPECT_EQ(PlanError({MakeMessage(3, true, 1, 5)}),
              "rank 0, operation 0 (node 3 (n): send of 5 bytes to rank 1 with tag 0) is never "
              "received");
    ChakraNode foreign = MakeMessage(3, true, 1, 5);
    foreign.source = 1;
    EXPECT_EQ(PlanError({foreign}), "node 3 (n) has the comm_src 1, but is in the trace of rank 0");
    ChakraNode work = MakeComputation(3, 0);
    work.nOperations = 1000;
    EXPECT_EQ(PlanError({work}), "node 3 (n) has num_ops but no duration_micros");
    EXPECT_EQ(PlanError({MakeComputation(3, 1, {4})}),
              "node 3 (n) depends on node 4, which there is not");
    EXPECT_EQ(PlanError({MakeComputation(3, 1, {4}), MakeComputation(4, 1, {3})}),
              "node 3 (n) waits for itself: it is one of 2 nodes that depend on each other, and "
              "depends on node 4");
    EXPECT_EQ(PlanError({MakeComputation(3, 1), MakeComputation(3, 1)}),
              "node 3 (n) has an id that another node has");
    ChakraTrace one;
    one.nodes = {MakeCollective(3, 0, 5)};
    ChakraTrace other;
    other.nodes = {MakeCollective(9, 0, 6)};
    EXPECT_EQ(CatchMessage([&] { MakeChakraPlan({one, other}, {}); }),
              "node 9 (n) does not match node 3 (n) of rank 0: both are number 0 of their process "
              "group");
}

} // namespace
