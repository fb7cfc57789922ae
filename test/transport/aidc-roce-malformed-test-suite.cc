// SPDX-License-Identifier: GPL-2.0-only

#include "roce-target.h"
#include "test/test-case.h"

#include "ns3/ethernet-frame.h"

// Frames as bytes, good ones and bad ones.
AIDC_TEST_SUITE("aidc-roce-malformed", UNIT);

using boost::endian::store_big_u16;
using boost::endian::store_big_u24;

AIDC_TEST_CASE("Good frames are taken")
{
    for (const auto opcode : {RoceOpcode::SEND_ONLY,
                              RoceOpcode::SEND_ONLY_IMMEDIATE,
                              RoceOpcode::WRITE_ONLY,
                              RoceOpcode::WRITE_ONLY_IMMEDIATE})
    {
        for (const uint32_t size : {0, 1, 2, 3, 4, 1000, 4096})
        {
            Target target;
            auto frame = target.MakeFrame(MakePacket(opcode, size));
            frame.resize(std::max<std::size_t>(frame.size(), EthernetFrame::MIN_SIZE));
            const auto fate = target.Receive(frame);
            Check(fate, TAKEN, "opcode " + std::to_string(static_cast<int>(opcode)));
            NS_TEST_EXPECT_MSG_EQ(fate.nEvents, 1, "delivered");
            NS_TEST_EXPECT_MSG_EQ(fate.statistics.sentAcks, 1, "acknowledged");
        }
    }
    {
        Target target;
        auto packet = MakePacket(RoceOpcode::READ_REQUEST);
        packet.dmaLength = 10000;
        const auto fate = target.Receive(target.MakeFrame(packet));
        Check(fate, TAKEN, "request to read");
        NS_TEST_EXPECT_MSG_EQ(fate.statistics.sentPackets, 3, "answered");
    }
    Target target;
    const auto fate = target.Receive(target.MakeFrame(MakePacket(RoceOpcode::CNP)));
    Check(fate, TAKEN, "CNP");
    NS_TEST_EXPECT_MSG_EQ(fate.statistics.receivedCnps, 1, "counted");
}

// Each bit of a frame is flipped, with the invariant CRC as it was and as it has to be.
AIDC_TEST_CASE("Frames with a flipped bit are dropped")
{
    // What the invariant CRC leaves out (annex A17.3.3), and the source address of Ethernet.
    std::set<std::size_t> variant{IPV4 + 1, IPV4 + 8, IPV4 + 10, IPV4 + 11};
    variant.insert({UDP + 6, UDP + 7, BTH + 4, 6, 7, 8, 9, 10, 11});
    const auto write = MakePacket(RoceOpcode::WRITE_ONLY, 2);
    const auto request = [] {
        auto packet = MakePacket(RoceOpcode::READ_REQUEST);
        packet.dmaLength = 100;
        return packet;
    }();
    for (const auto& packet : {write, request})
    {
        const std::size_t size = Target().MakeFrame(packet).size();
        for (std::size_t i = 0; i < 8 * size; ++i)
        {
            for (const bool isMended : {false, true})
            {
                Target target;
                auto frame = target.MakeFrame(packet);
                frame[i / 8] ^= static_cast<uint8_t>(1U << (i % 8));
                if (isMended)
                {
                    Target::SetInvariantCrc(frame);
                }
                const bool isGood = variant.count(i / 8) > 0;
                Check(target.Receive(frame),
                      isGood     ? TAKEN
                      : isMended ? ANY
                                 : NOT_TAKEN,
                      "byte " + std::to_string(i / 8) + " bit " + std::to_string(i % 8) +
                          (isMended ? " with the CRC of that" : ""));
            }
        }
    }
}

// Frames end early: as they are, with matching lengths, and with a matching invariant CRC.
AIDC_TEST_CASE("Truncated frames are dropped")
{
    auto selective = MakePacket(RoceOpcode::ACKNOWLEDGE);
    selective.hasSelective = true;
    selective.reflectionSize = 7;
    for (const auto& packet : {MakePacket(RoceOpcode::WRITE_ONLY, 30),
                               MakePacket(RoceOpcode::READ_REQUEST),
                               MakePacket(RoceOpcode::CNP),
                               selective})
    {
        const std::size_t whole = Target().MakeFrame(packet).size();
        for (std::size_t size = 0; size < whole; ++size)
        {
            for (const int mended : {0, 1, 2, 3})
            {
                Target target;
                auto frame = target.MakeFrame(packet);
                frame.resize(size);
                // A header that is not whole has nothing that could be mended.
                if (mended > 0 && size >= REST + INVARIANT_CRC_SIZE)
                {
                    store_big_u16(&frame[IPV4 + 2], static_cast<uint16_t>(size - IPV4));
                }
                if (mended > 1 && size >= REST + INVARIANT_CRC_SIZE)
                {
                    store_big_u16(&frame[UDP + 4], static_cast<uint16_t>(size - UDP));
                }
                if (mended > 2 && size >= REST + INVARIANT_CRC_SIZE)
                {
                    Target::SetInvariantCrc(frame);
                }
                // Shorter ones are padded, as an Ethernet does.
                const bool isPadded = size >= BTH && size < EthernetFrame::MIN_SIZE;
                if (isPadded)
                {
                    frame.resize(EthernetFrame::MIN_SIZE);
                }
                Check(target.Receive(frame),
                      mended > 2 ? ANY : NOT_TAKEN,
                      std::to_string(size) + " of " + std::to_string(whole) + " bytes, mended " +
                          std::to_string(mended));
            }
        }
    }
}

// Each reason to drop a packet has its counter.
AIDC_TEST_CASE("Each reason to drop a packet is counted")
{
    // Has a frame arrive that is not to be taken. counter: reads the counter that is to grow; 0 if
    // the frame is the stack's.
    const auto drop = [this](const std::string& name,
                             const std::function<void(Bytes&)>& damage,
                             const std::function<uint64_t(const RoceNicStatistics&)>& counter,
                             bool isMended = true) {
        Target target;
        auto frame = target.MakeFrame(MakePacket(RoceOpcode::WRITE_ONLY, 30));
        damage(frame);
        if (isMended)
        {
            Target::SetInvariantCrc(frame);
        }
        const auto fate = target.Receive(frame);
        Check(fate, NOT_TAKEN, name);
        NS_TEST_EXPECT_MSG_EQ(counter(fate.statistics), 1 - fate.stack, name);
        NS_TEST_EXPECT_MSG_EQ(fate.dropped, counter(fate.statistics), name << ": no other counter");
    };
    using S = RoceNicStatistics;
    const auto malformed = [](RoceResult result) {
        return [result](const S& s) { return s.malformed[static_cast<std::size_t>(result)]; };
    };
    const auto unknown = [](const S& s) { return s.unknownQueuePairs; };
    const auto partition = [](const S& s) { return s.badPartitions; };
    const auto set = [](std::size_t place, uint8_t value) {
        return [place, value](Bytes& frame) { frame[place] = value; };
    };
    drop("unknown queue pair", set(BTH + 7, QP + 1), unknown);
    drop("queue pair 0", set(BTH + 7, 0), unknown);
    drop("queue pair 1", set(BTH + 7, 1), unknown);
    drop(
        "the last queue pair",
        [](Bytes& frame) { store_big_u24(&frame[BTH + 5], 0xffffff); },
        unknown);
    drop("another peer", set(IPV4 + 15, 77), unknown);
    drop("another partition", set(BTH + 2, 0x12), partition);
    drop("partition 0", [](Bytes& f) { store_big_u16(&f[BTH + 2], 0x8000); }, partition);
    drop(
        "length of UDP",
        [](Bytes& frame) { frame[UDP + 5] += 4; },
        malformed(RoceResult::BAD_LENGTH));
    drop("version", set(BTH + 1, 0x41), malformed(RoceResult::BAD_VERSION));
    drop("opcode of atomic operations", set(BTH, 0x13), malformed(RoceResult::UNKNOWN_OPCODE));
    drop("opcode of unreliable datagrams", set(BTH, 0x64), malformed(RoceResult::UNKNOWN_OPCODE));
    drop(
        "padding in a first packet",
        [](Bytes& frame) { frame[BTH] = static_cast<uint8_t>(RoceOpcode::WRITE_FIRST); },
        malformed(RoceResult::BAD_PAD_COUNT));
    drop(
        "payload of a request to read",
        [](Bytes& frame) { frame[BTH] = static_cast<uint8_t>(RoceOpcode::READ_REQUEST); },
        malformed(RoceResult::BAD_LENGTH));
    drop(
        "reserved syndrome",
        [](Bytes& frame) {
            frame[BTH] = static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE);
            frame[BTH + 1] = 0x40;
            frame[REST] = 0x40;
        },
        malformed(RoceResult::BAD_SYNDROME));
    drop(
        "payload of an acknowledgment",
        [](Bytes& frame) {
            frame[BTH] = static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE);
            frame[BTH + 1] = 0x40;
            frame[REST] = 0x1f;
        },
        malformed(RoceResult::BAD_EXTENSION));
    drop(
        "invariant CRC",
        [](Bytes& frame) { frame.back() ^= 1; },
        [](const S& s) { return s.badInvariantCrcs; },
        false);

    // What is not RoCEv2 for this adapter is the stack's.
    const auto stack = [](const S&) { return uint64_t{0}; };
    drop("options", set(IPV4, 0x46), stack);
    drop("first fragment", set(IPV4 + 6, 0x20), stack);
    drop("last fragment", set(IPV4 + 7, 1), stack);
    drop("another port", set(UDP + 3, 0xb8), stack);
    drop("TCP", set(IPV4 + 9, 6), stack);
    drop("another address", set(IPV4 + 19, 99), stack);
    drop(
        "IPv4 in IPv4",
        [](Bytes& frame) {
            const Bytes inner(frame.begin() + IPV4, frame.end());
            frame.resize(UDP);
            frame[IPV4 + 9] = 4;
            frame.insert(frame.end(), inner.begin(), inner.end());
            store_big_u16(&frame[IPV4 + 2], static_cast<uint16_t>(frame.size() - IPV4));
        },
        stack,
        false);

    // A limited member of the partition may talk to a full one.
    Target target;
    auto packet = MakePacket(RoceOpcode::WRITE_ONLY, 30);
    packet.pKey = 0x7fff;
    Check(target.Receive(target.MakeFrame(packet)), TAKEN, "limited member");
}
