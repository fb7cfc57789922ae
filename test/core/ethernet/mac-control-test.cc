// SPDX-License-Identifier: GPL-2.0-only

// MAC control frames: IEEE 802.3, clause 31, Annexes 31A, 31B (PAUSE) and 31D (PFC); IEEE 802.1Q,
// clause 36. The octets were written by hand; test/python/test_mac_control.py has tshark read them.

#include "model/core/ethernet/mac-control.h"
#include "test/core/core-test.h"

#include "ns3/protocol-numbers.h"

using Bytes = std::vector<uint8_t>;

/// Some octets and zeros up to the payload of the smallest Ethernet frame.
Bytes
Padded(Bytes bytes)
{
    bytes.resize(46);
    return bytes;
}

Bytes
Encode(const MacControlFrame& frame)
{
    const auto bytes = EncodeMacControl(frame);
    return {bytes.begin(), bytes.end()};
}

bool
Same(const MacControlFrame& a, const MacControlFrame& b)
{
    return a.opcode == b.opcode && a.enabled == b.enabled && a.quanta == b.quanta;
}

// Annex 31B.2: pause_time 0x1234.
const Bytes PAUSE = Padded({0x00, 0x01, 0x12, 0x34});

// Annex 31D: priorities 0, 3 and 7 enabled: 1 + 8 + 128 = 0x89. Priority 3 stops for 65535 quanta,
// priority 0 for 1, priority 7 goes on.
const Bytes PFC = Padded({0x01, 0x01, 0x00, 0x89, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
                          0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00});

MacControlFrame
PfcFrame()
{
    MacControlFrame frame;
    frame.enabled = 0x89;
    frame.quanta = {1, 0, 0, 65535, 0, 0, 0, 0};
    return frame;
}

TEST(MacControl, Annex31BPauseIsOpcodeTimeAndZeros)
{
    MacControlFrame frame;
    frame.opcode = MacControlOpcode::PAUSE;
    frame.quanta[0] = 0x1234;
    EXPECT_EQ(Encode(frame), PAUSE);
    MacControlFrame decoded;
    ASSERT_EQ(DecodeMacControl(PAUSE.data(), PAUSE.size(), decoded), MacControlResult::OK);
    EXPECT_TRUE(Same(decoded, frame));
}

TEST(MacControl, Annex31DPfcIsOpcodeVectorAndEightTimes)
{
    EXPECT_EQ(Encode(PfcFrame()), PFC);
    MacControlFrame decoded;
    ASSERT_EQ(DecodeMacControl(PFC.data(), PFC.size(), decoded), MacControlResult::OK);
    EXPECT_TRUE(Same(decoded, PfcFrame()));
}

TEST(MacControl, Clause31TypeAndAddress)
{
    EXPECT_EQ(ETHERTYPE_MAC_CONTROL, 0x8808);
    EXPECT_EQ(MAC_CONTROL_ADDRESS, (std::array<uint8_t, 6>{1, 0x80, 0xc2, 0, 0, 1}));
}

TEST(MacControl, Annex31DReservedOctetOfTheVectorIsIgnoredOnReceipt)
{
    Bytes bytes = PFC;
    bytes[2] = 0xff;
    MacControlFrame decoded;
    ASSERT_EQ(DecodeMacControl(bytes.data(), bytes.size(), decoded), MacControlResult::OK);
    EXPECT_TRUE(Same(decoded, PfcFrame()));
}

TEST(MacControl, Annex31AUnknownOpcodesAreRefused)
{
    for (const int opcode : {0x0000, 0x0002, 0x0006, 0x0100, 0x0102, 0xfffe})
    {
        Bytes bytes = PFC;
        bytes[0] = static_cast<uint8_t>(opcode >> 8);
        bytes[1] = static_cast<uint8_t>(opcode);
        MacControlFrame decoded;
        EXPECT_EQ(DecodeMacControl(bytes.data(), bytes.size(), decoded),
                  MacControlResult::UNKNOWN_OPCODE)
            << opcode;
    }
}

TEST(MacControl, EveryTruncationIsTold)
{
    // PAUSE has its last field at octets 2 and 3, PFC at 18 and 19; the padding may be missing.
    const auto check = [](const Bytes& whole, std::size_t needed) {
        for (std::size_t length = 0; length <= whole.size(); ++length)
        {
            const Bytes bytes(whole.begin(), whole.begin() + length); // for sanitizers
            MacControlFrame decoded;
            decoded.enabled = 0x55;
            const auto result = DecodeMacControl(bytes.data(), length, decoded);
            EXPECT_EQ(result, length < needed ? MacControlResult::TOO_SHORT : MacControlResult::OK)
                << length;
            EXPECT_EQ(decoded.enabled == 0x55, length < needed) << length;
        }
    };
    check(PAUSE, 4);
    check(PFC, 20);
}

RC_GTEST_PROP(MacControl, AnyBytesAreDecodedOrRefusedAndEncodedAlike, (const Bytes& bytes))
{
    auto framed = bytes;
    if (framed.size() >= 2 && DrawInRange(0, 4) != 0)
    {
        framed[0] = DrawElement<uint8_t>({0, 1});
        framed[1] = 1;
    }
    MacControlFrame frame;
    if (DecodeMacControl(framed.data(), framed.size(), frame) == MacControlResult::OK)
    {
        const auto encoded = EncodeMacControl(frame);
        MacControlFrame again;
        RC_ASSERT(DecodeMacControl(encoded.data(), encoded.size(), again) == MacControlResult::OK);
        RC_ASSERT(Same(again, frame));
    }
}

TEST(MacControl, Annex31BQuantaAre512BitTimes)
{
    // At 100 Gb/s a bit takes 10 ps: 512 bits 5.12 ns, 65535 quanta 335,539.2 ns.
    EXPECT_EQ(PauseQuantaToTicks(65535, 100000000000, 1000000000), 335540U); // rounded up
    EXPECT_EQ(PauseQuantaToTicks(65535, 100000000000, 1000000000000), 335539200U);
    EXPECT_EQ(PauseQuantaToTicks(1, 100000000000, 1000000000000), 5120U);
    EXPECT_EQ(PauseQuantaToTicks(0, 100000000000, 1000000000), 0U);
    // At 10 Gb/s 65535 quanta are 3.355392 ms; in femtoseconds the product exceeds 64 bits.
    EXPECT_EQ(PauseQuantaToTicks(65535, 10000000000, 1000000000000000), 3355392000000U);
    // At 1.6 Tb/s a quantum is 320 ps.
    EXPECT_EQ(PauseQuantaToTicks(65535, 1600000000000, 1000000000000), 20971200U);
}

RC_GTEST_PROP(MacControl, QuantaBecomeTheLeastTimeThatIsAsLong, ())
{
    const auto quanta = DrawAny<uint16_t>();
    const auto rate = DrawInRange<uint64_t>(1000000, 2000000000000);
    constexpr uint64_t TICKS = 100000000000; // 65535 quanta of 512 bits do not exceed 64 bits
    const uint64_t bitTicks = uint64_t{quanta} * 512 * TICKS;
    const uint64_t expected = bitTicks / rate + (bitTicks % rate > 0 ? 1 : 0);
    RC_ASSERT(PauseQuantaToTicks(quanta, rate, TICKS) == expected);
}
