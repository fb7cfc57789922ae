// SPDX-License-Identifier: GPL-2.0-only

// Chakra traces as bytes.

#include "chakra-bytes.h"
#include "test/core/core-test.h"

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

/// A node of type METADATA or COLLECTIVE, with fields behind its type.
ChakraNode
DecodeFields(const std::string& type, const std::string& fields)
{
    static constexpr char DIGITS[] = "0123456789abcdef";
    const std::size_t size = (type.size() + fields.size()) / 2;
    return Decode(METADATA + std::string{DIGITS[size / 16], DIGITS[size % 16]} + type + fields)
        .nodes.at(0);
}

TEST(ChakraTrace, WhoTakesPartIsRead)
{
    const std::string collective = "1807";
    // comm_group 5 as int32, pg_name "5" and pg_name "6"
    const std::string number = "520e0a0a636f6d6d5f67726f75703805";
    const std::string same = "520d0a0770675f6e616d65ea010135";
    const std::string other = "520d0a0770675f6e616d65ea010136";
    EXPECT_EQ(DecodeFields(collective, number).group, "5");
    EXPECT_EQ(DecodeFields(collective, number + same).group, "5");
    EXPECT_EQ(CatchMessage([&] { DecodeFields(collective, number + other); }),
              "message at byte 8: expected one process group, found \"5\" and \"6\" as pg_name and "
              "comm_group");
    // involved_dim as a list of bool, packed and not, and as a number
    const std::string name = "0a0c696e766f6c7665645f64696d";
    const std::vector<bool> expected{true, false};
    EXPECT_EQ(DecodeFields(collective, "5215" + name + "e201040a020100").dimensions, expected);
    EXPECT_EQ(DecodeFields(collective, "5215" + name + "e2010408010800").dimensions, expected);
    EXPECT_EQ(CatchMessage([&] { DecodeFields(collective, "5211" + name + "d80101"); }),
              "message at byte 8: expected a list of bool as attribute \"involved_dim\"");
    // The values of inputs, of METADATA only
    EXPECT_EQ(DecodeFields("1801", "42050a035b315d").inputs, "[1]");
    EXPECT_EQ(DecodeFields(collective, "42050a035b315d").inputs, "");
    EXPECT_EQ(DecodeFields("42050a035b315d", "1801").inputs, "[1]"); // in any order
}

TEST(ChakraTrace, NamesAreShownInPrintableCharacters)
{
    ChakraNode node;
    node.id = 5;
    node.name = "\x1f\x20\x7e\x7f\x20\xff";
    EXPECT_EQ(DescribeChakraNode(node), "node 5 (? ~? ?)");
}
