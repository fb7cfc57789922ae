// SPDX-License-Identifier: GPL-2.0-only

// Reliable connections over channels that lose: InfiniBand Architecture Specification, volume 1,
// section 9.7, and IRN (SIGCOMM 2018).

#include "roce-channel.h"
#include "test/core/core-test.h"

#include "ns3/roce-packet.h"

#include <ostream>

namespace ns3::aidc
{

void
PrintTo(RoceSettings::Recovery recovery, std::ostream* os)
{
    *os << (recovery == RoceSettings::GO_BACK_N ? "go-back-N" : "selective repeat");
}

} // namespace ns3::aidc

namespace
{

/// What was posted is what has arrived: once each, in order, and as a whole.
void
ExpectAll(const RoceChannel& channel, const std::vector<RoceWork>& works)
{
    ASSERT_EQ(channel.completions.size(), works.size());
    std::size_t nDelivered = 0;
    uint64_t nRead = 0;
    for (std::size_t i = 0; i < works.size(); ++i)
    {
        EXPECT_EQ(channel.completions[i].id, works[i].id);
        EXPECT_EQ(channel.completions[i].status, RoceStatus::SUCCESS);
        if (works[i].operation == RoceOperation::READ)
        {
            nRead += works[i].nBytes;
            continue;
        }
        ASSERT_LT(nDelivered, channel.deliveries.size());
        const RoceDelivery& delivery = channel.deliveries[nDelivered++];
        EXPECT_EQ(delivery.nBytes, works[i].nBytes);
        EXPECT_EQ(delivery.operation, works[i].operation);
        EXPECT_EQ(delivery.hasImmediate, works[i].hasImmediate);
        EXPECT_EQ(delivery.immediate, works[i].hasImmediate ? works[i].immediate : 0);
    }
    EXPECT_EQ(nDelivered, channel.deliveries.size());
    EXPECT_EQ(channel.nRead, nRead);
}

RoceWork
MakeWork(uint64_t id, uint64_t nBytes, RoceOperation operation)
{
    RoceWork work;
    work.id = id;
    work.nBytes = nBytes;
    work.operation = operation;
    work.remoteKey = 1;
    return work;
}

std::vector<RoceWork>
DrawWorks(uint32_t mtu)
{
    std::vector<RoceWork> works(DrawInRange<std::size_t>(1, 12));
    uint64_t id = 100;
    for (auto& work : works)
    {
        work = MakeWork(id++,
                        DrawElement<uint64_t>({0, 1, mtu - 1, mtu, mtu + 1, 7 * mtu, 40 * mtu + 3}),
                        static_cast<RoceOperation>(DrawInRange(0, 3)));
        work.hasImmediate = work.operation != RoceOperation::READ && DrawAny<bool>();
        work.immediate = DrawAny<uint32_t>();
    }
    return works;
}

RoceSettings
DrawSettings()
{
    RoceSettings settings;
    settings.pathMtu = DrawElement<uint32_t>({256, 1024, 4096});
    settings.ackInterval = DrawInRange<uint32_t>(1, 20);
    settings.maxPackets = DrawElement<uint32_t>({20, 64, 4096});
    settings.maxReads = DrawInRange<uint32_t>(1, 4);
    settings.recovery = DrawElement({RoceSettings::GO_BACK_N, RoceSettings::SELECTIVE_REPEAT});
    settings.reorderWindow = DrawElement<uint32_t>({0, 0, 4, 100});
    return settings;
}

RC_GTEST_PROP(RoceConnection, EveryMessageIsDeliveredOnceAndInOrder, ())
{
    const auto settings = DrawSettings();
    // Most connections begin just before the numbers wrap.
    const auto firstPsn = DrawElement<uint32_t>({0, 1, 0xffffff, 0xfffff0, 0xffff80});
    RoceChannel channel(settings, firstPsn);
    channel.delay = DrawInRange<std::size_t>(0, 10);
    channel.window = DrawElement<uint64_t>({0, 5000, 100000, RoceChannel::NO_WINDOW});
    std::mt19937 random(DrawAny<uint32_t>());
    const double loss = DrawElement({0.0, 0.001, 0.02, 0.05});
    channel.isLost = [&](const RocePacket&) {
        return std::uniform_real_distribution<>()(random) < loss;
    };
    const auto works = DrawWorks(settings.pathMtu);
    for (const auto& work : works)
    {
        RC_ASSERT(channel.Post(work));
    }
    channel.Run();
    ExpectAll(channel, works);
    RC_ASSERT(!::testing::Test::HasFailure());
    RC_ASSERT(channel.requester.GetInFlight() == 0U);
    RC_ASSERT(!channel.requester.HasOutstanding());
    if (loss == 0)
    {
        RC_ASSERT(channel.nRepeated == 0U);
    }
}

RC_GTEST_PROP(RoceConnection, ReceiversThatAreNotReadyGetAllInTheEnd, ())
{
    auto settings = DrawSettings();
    settings.rnrRetry = 7;
    RoceChannel channel(settings, 0xfffffe);
    std::mt19937 random(DrawAny<uint32_t>());
    channel.isLost = [&](const RocePacket&) {
        return std::uniform_real_distribution<>()(random) < 0.01;
    };
    channel.responder.LimitReceives();
    channel.onResume = [&] { channel.responder.PostReceive(); };
    const auto works = DrawWorks(settings.pathMtu);
    for (const auto& work : works)
    {
        channel.Post(work);
    }
    channel.Run();
    ExpectAll(channel, works);
    RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(RoceConnection, AnswersOfAnyKindEndInACompletion, ())
{
    // Whatever comes from the wire: each request that was posted ends once, in order.
    const auto settings = DrawSettings();
    RoceChannel channel(settings, 0xfffff0);
    const auto works = DrawWorks(settings.pathMtu);
    for (const auto& work : works)
    {
        channel.Post(work);
    }
    for (int i = 0; i < 300; ++i)
    {
        RocePacket packet;
        packet.opcode = DrawElement({RoceOpcode::ACKNOWLEDGE, RoceOpcode::READ_RESPONSE_MIDDLE});
        packet.psn = (0xffffe8 + DrawInRange<uint32_t>(0, 60)) & PSN_MASK;
        packet.syndrome = DrawElement<uint8_t>({0x1f, 0x1f, 0x20, 0x40, 0x60, 0x60, 0x65});
        packet.hasSelective = DrawAny<bool>();
        packet.selectivePsn = (packet.psn + DrawInRange<uint32_t>(0, 30)) & PSN_MASK;
        packet.payloadSize = DrawElement<uint32_t>({0, settings.pathMtu});
        channel.Answer(packet);
        channel.Step();
    }
    channel.Run(5000);
    for (int i = 0; i < 1000 && channel.HasWork(); ++i)
    {
        channel.requester.Resume();
        channel.requester.HandleTimeout(channel.completions);
        if (channel.requester.HasPacket(RoceChannel::NO_WINDOW))
        {
            channel.requester.TakePacket(RoceChannel::NO_WINDOW);
        }
    }
    RC_ASSERT(channel.completions.size() == works.size());
    for (std::size_t i = 0; i < works.size(); ++i)
    {
        RC_ASSERT(channel.completions[i].id == works[i].id);
    }
}

RC_GTEST_PROP(RoceConnection, SelectiveRepeatSendsAgainWhatIsLostAndNothingElse, ())
{
    RoceSettings settings;
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.pathMtu = 256;
    settings.ackInterval = DrawInRange<uint32_t>(1, 20);
    RoceChannel channel(settings, 0xfffff0);
    channel.delay = DrawInRange<std::size_t>(0, 100);
    channel.timeout = 1000; // no timer expires while something is under way
    std::mt19937 random(DrawAny<uint32_t>());
    const double loss = DrawElement({0.001, 0.01, 0.1});
    std::set<uint32_t> lost; // once each: repeats that are lost take a timer, of which see below
    channel.isLost = [&](const RocePacket& packet) {
        return packet.opcode != RoceOpcode::ACKNOWLEDGE &&
               std::uniform_real_distribution<>()(random) < loss && lost.insert(packet.psn).second;
    };
    const auto work = MakeWork(1, 256 * 3000, RoceOperation::WRITE);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    RC_ASSERT(channel.nRepeated >= lost.size());
    // The timer says nothing of packets that have asked for no acknowledgment.
    RC_ASSERT(channel.nRepeated - lost.size() <= channel.nTimeouts * (settings.ackInterval - 1));
}

/// Each loss costs one repeat, also of a packet whose repeat is lost: its timer expires while other
/// packets are under way (delay < timeout < window), which are not repeated.
TEST(RoceConnection, ALostRepeatIsRepeatedAndNothingElse)
{
    constexpr uint64_t N_PACKETS = 600;
    RoceSettings settings;
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.pathMtu = 256;
    settings.ackInterval = 1;
    RoceChannel channel(settings, 0);
    channel.delay = 20;
    channel.timeout = 100;
    uint64_t left = 2; // the packet and its first repeat
    channel.isLost = [&left](const RocePacket& packet) {
        const bool isLost =
            packet.opcode != RoceOpcode::ACKNOWLEDGE && packet.psn == 50 && left > 0;
        left -= isLost ? 1 : 0;
        return isLost;
    };
    const auto work = MakeWork(1, 256 * N_PACKETS, RoceOperation::WRITE);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    EXPECT_EQ(channel.nTimeouts, 1U);
    EXPECT_EQ(channel.nRepeated, 3U) << "the packet twice, and the probe";
    EXPECT_EQ(channel.nSent, N_PACKETS + 3);
}

class RoceRecoveryTest : public ::testing::TestWithParam<RoceSettings::Recovery>
{
  protected:
    RoceRecoveryTest()
    {
        m_settings.recovery = GetParam();
        m_settings.pathMtu = 256;
        m_settings.ackInterval = 1;
    }

    RoceSettings m_settings;
};

TEST_P(RoceRecoveryTest, OneLossRepeatsThatPacketOrAllFromItOn)
{
    RoceChannel channel(m_settings, 0xfffffa); // the lost packet is the one with number 0
    channel.delay = 5;
    bool isFirst = true;
    channel.isLost = [&](const RocePacket& packet) {
        return packet.opcode != RoceOpcode::ACKNOWLEDGE && packet.psn == 0 &&
               std::exchange(isFirst, false);
    };
    const auto work = MakeWork(1, 256 * 40, RoceOperation::WRITE);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    EXPECT_EQ(channel.nTimeouts, 0U);
    if (GetParam() == RoceSettings::SELECTIVE_REPEAT)
    {
        EXPECT_EQ(channel.nRepeated, 1U);
    }
    else
    {
        EXPECT_GT(channel.nRepeated, 1U);
        EXPECT_EQ(channel.nSequenceErrors, 1U);
    }
}

TEST_P(RoceRecoveryTest, ALostLastPacketIsRepairedByTheTimer)
{
    RoceChannel channel(m_settings, 5);
    bool isFirst = true;
    channel.isLost = [&](const RocePacket& packet) {
        return packet.psn == 14 && packet.opcode != RoceOpcode::ACKNOWLEDGE &&
               std::exchange(isFirst, false);
    };
    const auto work = MakeWork(1, 256 * 10, RoceOperation::SEND);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    EXPECT_EQ(channel.nTimeouts, 1U);
    EXPECT_EQ(channel.nRepeated, 1U);
}

TEST_P(RoceRecoveryTest, ALostTailIsRepairedByOneTimeout)
{
    RoceChannel channel(m_settings, 0);
    channel.isLost = [&](const RocePacket& packet) {
        return packet.psn >= 10 && channel.nTimeouts == 0 &&
               packet.opcode != RoceOpcode::ACKNOWLEDGE;
    };
    const auto work = MakeWork(1, 256 * 30, RoceOperation::WRITE);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    EXPECT_EQ(channel.nTimeouts, 1U);
    EXPECT_EQ(channel.nRepeated, 20U);
}

TEST_P(RoceRecoveryTest, ALostLastAcknowledgmentIsRepeatedForTheDuplicate)
{
    // A receiver that drops duplicates without a word would never end this.
    RoceChannel channel(m_settings, 0);
    bool isFirst = true;
    channel.isLost = [&](const RocePacket& packet) {
        return packet.opcode == RoceOpcode::ACKNOWLEDGE && std::exchange(isFirst, false);
    };
    const auto work = MakeWork(1, 100, RoceOperation::WRITE);
    channel.Post(work);
    channel.Run();
    ExpectAll(channel, {work});
    EXPECT_EQ(channel.nRepeated, 1U);
}

TEST_P(RoceRecoveryTest, APeerThatIsGoneEndsWithErrorsInOrder)
{
    RoceChannel channel(m_settings, 0);
    channel.isLost = [](const RocePacket&) { return true; };
    channel.Post(MakeWork(1, 1000, RoceOperation::WRITE));
    channel.Post(MakeWork(2, 1000, RoceOperation::READ));
    channel.Run();
    EXPECT_EQ(channel.nTimeouts, m_settings.retryCount + 1U);
    ASSERT_EQ(channel.completions.size(), 2U);
    EXPECT_EQ(channel.completions[0].status, RoceStatus::RETRY_EXCEEDED);
    EXPECT_EQ(channel.completions[1].status, RoceStatus::FLUSHED);
    EXPECT_TRUE(channel.requester.HasFailed());
    EXPECT_FALSE(channel.Post(MakeWork(3, 1, RoceOperation::SEND)));
}

INSTANTIATE_TEST_SUITE_P(Modes,
                         RoceRecoveryTest,
                         ::testing::Values(RoceSettings::GO_BACK_N,
                                           RoceSettings::SELECTIVE_REPEAT));

} // namespace
