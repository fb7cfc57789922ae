// SPDX-License-Identifier: GPL-2.0-only

// Opcodes of reliable connections: InfiniBand Architecture Specification, volume 1, table 38, and
// annex A17.9.3.

#include "test/core/core-test.h"

#include "ns3/roce-packet.h"

const RoceOpcodeInfo&
Info(int code)
{
    return GetRoceOpcodeInfo(static_cast<RoceOpcode>(code));
}

/// What is known of an opcode, in letters: first, last, RETH, immediate, AETH, payload.
std::string
Describe(int code)
{
    const RoceOpcodeInfo& info = Info(code);
    std::string text;
    text += info.isRequest ? "q" : "";
    text += info.isResponse ? "s" : "";
    text += info.startsMessage ? "f" : "";
    text += info.endsMessage ? "l" : "";
    text += info.hasReth ? "R" : "";
    text += info.hasImmediate ? "I" : "";
    text += info.hasAeth ? "A" : "";
    text += info.hasPayload ? "p" : "";
    return text;
}

TEST(RoceOpcode, HeadersAndPlacesOfAll)
{
    EXPECT_EQ(Describe(0x00), "qfp");
    EXPECT_EQ(Describe(0x01), "qp");
    EXPECT_EQ(Describe(0x02), "qlp");
    EXPECT_EQ(Describe(0x03), "qlIp");
    EXPECT_EQ(Describe(0x04), "qflp");
    EXPECT_EQ(Describe(0x05), "qflIp");
    EXPECT_EQ(Describe(0x06), "qfRp");
    EXPECT_EQ(Describe(0x07), "qp");
    EXPECT_EQ(Describe(0x08), "qlp");
    EXPECT_EQ(Describe(0x09), "qlIp");
    EXPECT_EQ(Describe(0x0a), "qflRp");
    EXPECT_EQ(Describe(0x0b), "qflRIp");
    EXPECT_EQ(Describe(0x0c), "qflR");
    EXPECT_EQ(Describe(0x0d), "sfAp");
    EXPECT_EQ(Describe(0x0e), "sp"); // no AETH in the middle
    EXPECT_EQ(Describe(0x0f), "slAp");
    EXPECT_EQ(Describe(0x10), "sflAp");
    EXPECT_EQ(Describe(0x11), "sA");
    EXPECT_EQ(Describe(0x81), "");
}

TEST(RoceOpcode, AllOthersAreUnknown)
{
    for (int code = 0; code < 256; ++code)
    {
        const bool isKnown = code <= 0x11 || code == 0x81;
        EXPECT_EQ(Info(code).isKnown, isKnown) << code;
        EXPECT_EQ(Info(code).headerSize > 0, isKnown) << code;
        EXPECT_EQ(std::string(Info(code).name) == "unknown", !isKnown) << code;
        if (!isKnown)
        {
            EXPECT_EQ(Describe(code), "") << code;
        }
    }
}

TEST(RoceOpcode, SizesAreThoseOfTheHeaders)
{
    for (int code = 0; code <= 0x11; ++code)
    {
        const RoceOpcodeInfo& info = Info(code);
        EXPECT_EQ(info.headerSize,
                  12 + (info.hasReth ? 16 : 0) + (info.hasImmediate ? 4 : 0) +
                      (info.hasAeth ? 4 : 0))
            << code;
    }
    EXPECT_EQ(Info(0x81).headerSize, 12 + 16);
}

TEST(RoceOpcode, NamesTellWhatItIs)
{
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::SEND_LAST_IMMEDIATE).name, "SEND last immediate");
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::WRITE_FIRST).name, "WRITE first");
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::READ_REQUEST).name, "READ request");
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::READ_RESPONSE_ONLY).name, "READ response only");
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::ACKNOWLEDGE).name, "ACK");
    EXPECT_STREQ(GetRoceOpcodeInfo(RoceOpcode::CNP).name, "CNP");
}
