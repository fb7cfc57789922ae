// SPDX-License-Identifier: GPL-2.0-only

// What a requester sends, and what answers mean to it: InfiniBand Architecture Specification,
// volume 1, section 9.7.

#include "roce-channel.h"
#include "test/core/core-test.h"

constexpr uint64_t NO_WINDOW = RoceChannel::NO_WINDOW;

RoceWork
MakeWork(uint64_t id, uint64_t nBytes, RoceOperation operation = RoceOperation::WRITE)
{
    RoceWork work;
    work.id = id;
    work.nBytes = nBytes;
    work.operation = operation;
    work.remoteAddress = 0x1000;
    work.remoteKey = 9;
    return work;
}

RocePacket
MakeAck(uint32_t psn, uint8_t syndrome = 0x1f)
{
    RocePacket packet;
    packet.opcode = RoceOpcode::ACKNOWLEDGE;
    packet.psn = psn;
    packet.syndrome = syndrome;
    return packet;
}

class RoceRequesterTest : public ::testing::Test
{
  protected:
    RoceRequesterTest()
    {
        settings.pathMtu = 1024;
        settings.ackInterval = 4;
    }

    RoceRequester Make() const
    {
        return {settings, 0xabc, 10, 82};
    }

    /// Send what may be sent.
    static void TakeAll(RoceRequester& requester)
    {
        while (requester.HasPacket(NO_WINDOW))
        {
            requester.TakePacket(NO_WINDOW);
        }
    }

    RoceSettings settings;
    std::vector<RoceCompletion> completions;
};

TEST_F(RoceRequesterTest, WhatWasNeverSentBecomesLessAlsoAcrossAWrap)
{
    RoceRequester requester(settings, 0xabc, 0xfffffe, 82);
    requester.Post(MakeWork(1, 10 * 1024 + 1, RoceOperation::SEND)); // 0xfffffe to 8
    requester.TakePacket(NO_WINDOW);
    EXPECT_EQ(requester.GetUnsent(), 10 * 1024U);
    EXPECT_EQ(requester.GetBacklog(), 11 * 1024U);
    EXPECT_EQ(requester.Shorten(1000000), 8 * 1024U) << "all but the next one and the last one";
    EXPECT_EQ(requester.GetUnsent(), 2 * 1024U);
    EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, 0xffffffU);
    const auto last = requester.TakePacket(NO_WINDOW).packet;
    EXPECT_EQ(last.psn, 0U);
    EXPECT_EQ(last.opcode, RoceOpcode::SEND_LAST);
    EXPECT_EQ(last.payloadSize, 1U);
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
    std::vector<RoceCompletion> completions;
    requester.HandleTimeout(completions); // and what is lost is sent again as it was
    EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, 0xfffffeU);
    EXPECT_TRUE(requester.HandleAcknowledgment(MakeAck(0), completions).isValid);
    ASSERT_EQ(completions.size(), 1U);
    EXPECT_EQ(completions[0].nBytes, 2 * 1024 + 1U);
}

TEST_F(RoceRequesterTest, WritesAreFirstMiddleLastOrOnly)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 2500));
    requester.Post(MakeWork(2, 0));

    struct Row
    {
        RoceOpcode opcode;
        uint32_t psn;
        uint32_t payload;
        uint32_t length; // of the whole message, where it is said
    };

    for (const auto& row : {Row{RoceOpcode::WRITE_FIRST, 10, 1024, 2500},
                            Row{RoceOpcode::WRITE_MIDDLE, 11, 1024, 0},
                            Row{RoceOpcode::WRITE_LAST, 12, 452, 0},
                            Row{RoceOpcode::WRITE_ONLY, 13, 0, 0}})
    {
        ASSERT_TRUE(requester.HasPacket(NO_WINDOW));
        const auto packet = requester.TakePacket(NO_WINDOW).packet;
        EXPECT_EQ(packet.opcode, row.opcode);
        EXPECT_EQ(packet.psn, row.psn);
        EXPECT_EQ(packet.payloadSize, row.payload);
        EXPECT_EQ(packet.dmaLength, row.length);
        EXPECT_EQ(packet.destinationQp, 0xabcU);
        EXPECT_EQ(packet.remoteKey,
                  packet.opcode == RoceOpcode::WRITE_FIRST ||
                          packet.opcode == RoceOpcode::WRITE_ONLY
                      ? 9U
                      : 0U);
    }
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
    EXPECT_EQ(requester.GetInFlight(), 2500U + 4 * 82);
}

TEST_F(RoceRequesterTest, AcknowledgmentsAreAskedForEverySoManyPacketsAndAtTheEnd)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 6 * 1024));
    std::vector<bool> asked;
    while (requester.HasPacket(NO_WINDOW))
    {
        asked.push_back(requester.TakePacket(NO_WINDOW).packet.isAckRequested);
    }
    EXPECT_EQ(asked, (std::vector<bool>{false, false, false, true, false, true}));
}

TEST_F(RoceRequesterTest, OneAcknowledgmentCompletesAllMessagesBeforeIt)
{
    auto requester = Make();
    for (uint64_t id = 1; id <= 3; ++id)
    {
        requester.Post(MakeWork(id, 100, RoceOperation::SEND));
        requester.TakePacket(NO_WINDOW);
    }
    const auto progress = requester.HandleAcknowledgment(MakeAck(11), completions);
    EXPECT_EQ(progress.nPackets, 2U);
    EXPECT_EQ(progress.nBytes, 2U * 182);
    ASSERT_EQ(completions.size(), 2U);
    EXPECT_EQ(completions[1].id, 2U);
    EXPECT_TRUE(requester.HasOutstanding());
    // Again, and one that nobody has asked for.
    EXPECT_EQ(requester.HandleAcknowledgment(MakeAck(11), completions).nPackets, 0U);
    EXPECT_FALSE(requester.HandleAcknowledgment(MakeAck(13), completions).isValid);
    EXPECT_EQ(completions.size(), 2U);
}

TEST_F(RoceRequesterTest, ASequenceErrorAcknowledgesWhatIsBeforeItAndSendsAllFromItOn)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 1024));
    requester.Post(MakeWork(2, 5 * 1024));
    TakeAll(requester);
    const auto progress = requester.HandleAcknowledgment(MakeAck(13, 0x60), completions);
    EXPECT_TRUE(progress.isLoss);
    ASSERT_EQ(completions.size(), 1U);
    EXPECT_EQ(completions[0].id, 1U);
    EXPECT_EQ(requester.GetInFlight(), 0U);
    for (uint32_t psn = 13; psn <= 15; ++psn)
    {
        const auto outgoing = requester.TakePacket(NO_WINDOW);
        EXPECT_EQ(outgoing.packet.psn, psn);
        EXPECT_TRUE(outgoing.isRetransmission);
    }
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
}

TEST_F(RoceRequesterTest, WhatIsBelowTheReorderWindowIsRepeated)
{
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.reorderWindow = 2;
    auto requester = Make();
    requester.Post(MakeWork(1, 8 * 1024));
    TakeAll(requester);
    auto nak = MakeAck(10, 0x60);
    nak.hasSelective = true;
    nak.selectivePsn = 12; // may have overtaken 10 and 11
    EXPECT_FALSE(requester.HandleAcknowledgment(nak, completions).isLoss);
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
    nak.selectivePsn = 14; // 12 has arrived, 13 may still come
    EXPECT_TRUE(requester.HandleAcknowledgment(nak, completions).isLoss);
    for (uint32_t psn = 10; psn <= 11; ++psn)
    {
        ASSERT_TRUE(requester.HasPacket(NO_WINDOW));
        EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, psn);
    }
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
}

TEST_F(RoceRequesterTest, WhatHasOvertakenLessThanTheReorderWindowIsNotRepeated)
{
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.reorderWindow = 2;
    auto requester = Make();
    requester.Post(MakeWork(1, 8 * 1024));
    TakeAll(requester);
    auto nak = MakeAck(10, 0x60);
    nak.hasSelective = true;
    nak.selectivePsn = 14; // 12 and 13 are within the window before it
    requester.HandleAcknowledgment(nak, completions);
    for (uint32_t psn = 10; psn <= 11; ++psn)
    {
        ASSERT_TRUE(requester.HasPacket(NO_WINDOW));
        EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, psn);
    }
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
}

TEST_F(RoceRequesterTest, SoManyPacketsAreUnacknowledgedAtMost)
{
    settings.maxPackets = 4;
    auto requester = Make();
    requester.Post(MakeWork(1, 10 * 1024));
    for (int i = 0; i < 4; ++i)
    {
        ASSERT_TRUE(requester.HasPacket(NO_WINDOW));
        requester.TakePacket(NO_WINDOW);
    }
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
    requester.HandleAcknowledgment(MakeAck(10), completions);
    EXPECT_TRUE(requester.HasPacket(NO_WINDOW));
}

TEST_F(RoceRequesterTest, FewerThanHalfOfTheNumbersAreUnacknowledged)
{
    // A request to read takes as many numbers as it has responses.
    settings.pathMtu = 256;
    for (const uint64_t nResponses : {(1 << 23) - 2, (1 << 23) - 1})
    {
        auto requester = Make();
        requester.Post(MakeWork(1, 100));
        requester.Post(MakeWork(2, 256 * nResponses, RoceOperation::READ));
        requester.TakePacket(NO_WINDOW);
        EXPECT_EQ(requester.HasPacket(NO_WINDOW), nResponses + 1 < 1 << 23);
        requester.HandleAcknowledgment(MakeAck(10), completions);
        EXPECT_TRUE(requester.HasPacket(NO_WINDOW));
    }
}

TEST_F(RoceRequesterTest, TheWindowLimitsAllButOnePacket)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 10 * 1024));
    EXPECT_TRUE(requester.HasPacket(0));
    EXPECT_TRUE(requester.TakePacket(0).packet.isAckRequested);
    EXPECT_FALSE(requester.HasPacket(2 * 1106 - 1));
    EXPECT_TRUE(requester.HasPacket(2 * 1106));
}

TEST_F(RoceRequesterTest, AReceiverThatIsNotReadyIsWaitedFor)
{
    settings.rnrRetry = 1;
    auto requester = Make();
    requester.Post(MakeWork(1, 100, RoceOperation::SEND));
    requester.TakePacket(NO_WINDOW);
    auto progress = requester.HandleAcknowledgment(MakeAck(10, 0x20 | 14), completions);
    EXPECT_FALSE(progress.isReceiverReady);
    EXPECT_EQ(progress.waitCode, 14);
    EXPECT_FALSE(requester.HasPacket(NO_WINDOW));
    EXPECT_FALSE(requester.HasOutstanding()); // no retransmission timer meanwhile
    requester.Resume();
    EXPECT_TRUE(requester.TakePacket(NO_WINDOW).isRetransmission);
    requester.HandleAcknowledgment(MakeAck(10, 0x20 | 14), completions);
    ASSERT_EQ(completions.size(), 1U);
    EXPECT_EQ(completions[0].status, RoceStatus::RNR_RETRY_EXCEEDED);
}

TEST_F(RoceRequesterTest, OtherRefusalsAreFatalAtOnce)
{
    struct Row
    {
        uint8_t syndrome;
        RoceStatus status;
    };

    for (const auto& row : {Row{0x61, RoceStatus::REMOTE_INVALID_REQUEST},
                            Row{0x62, RoceStatus::REMOTE_ACCESS_ERROR},
                            Row{0x63, RoceStatus::REMOTE_OPERATIONAL_ERROR}})
    {
        auto requester = Make();
        completions.clear();
        requester.Post(MakeWork(1, 100));
        requester.Post(MakeWork(2, 100));
        requester.Post(MakeWork(3, 100));
        for (int i = 0; i < 3; ++i)
        {
            requester.TakePacket(NO_WINDOW);
        }
        requester.HandleAcknowledgment(MakeAck(11, row.syndrome), completions);
        ASSERT_EQ(completions.size(), 3U);
        EXPECT_EQ(completions[0].status, RoceStatus::SUCCESS);
        EXPECT_EQ(completions[1].status, row.status);
        EXPECT_EQ(completions[2].status, RoceStatus::FLUSHED);
    }
}

TEST_F(RoceRequesterTest, ARequestToReadTakesANumberForEachResponse)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 2500, RoceOperation::READ));
    requester.Post(MakeWork(2, 100, RoceOperation::SEND));
    EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, 10U);
    EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, 13U);
    RocePacket response;
    response.opcode = RoceOpcode::READ_RESPONSE_FIRST;
    response.psn = 10;
    response.payloadSize = 1024;
    EXPECT_EQ(requester.HandleReadResponse(response, completions).nPackets, 1U);
    // The next one is lost: what is left is asked for, once.
    response.psn = 12;
    response.payloadSize = 452;
    EXPECT_TRUE(requester.HandleReadResponse(response, completions).isLoss);
    const auto again = requester.TakePacket(NO_WINDOW).packet;
    EXPECT_EQ(again.opcode, RoceOpcode::READ_REQUEST);
    EXPECT_EQ(again.psn, 11U);
    EXPECT_EQ(again.virtualAddress, 0x1000U + 1024);
    EXPECT_EQ(again.dmaLength, 2500U - 1024);
    EXPECT_FALSE(requester.HandleReadResponse(response, completions).isLoss);
}

TEST_F(RoceRequesterTest, AnAcknowledgmentBeyondARequestToReadMissesItsResponses)
{
    auto requester = Make();
    requester.Post(MakeWork(1, 2500, RoceOperation::READ));
    requester.Post(MakeWork(2, 100, RoceOperation::SEND));
    requester.TakePacket(NO_WINDOW);
    requester.TakePacket(NO_WINDOW);
    EXPECT_TRUE(requester.HandleAcknowledgment(MakeAck(13), completions).isLoss);
    EXPECT_TRUE(completions.empty());
    EXPECT_EQ(requester.TakePacket(NO_WINDOW).packet.psn, 10U);
}

TEST_F(RoceRequesterTest, AttemptsReloadWhenAnotherPacketHasArrived)
{
    // What was lost first is lost again and again; what is behind it arrives.
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.retryCount = 1;
    auto requester = Make();
    requester.Post(MakeWork(1, 8 * 1024));
    auto nak = MakeAck(10, 0x60);
    nak.hasSelective = true;
    const auto lose = [&](uint32_t arrived) {
        TakeAll(requester);
        nak.selectivePsn = arrived;
        requester.HandleAcknowledgment(nak, completions);
        TakeAll(requester);
        requester.HandleTimeout(completions);
    };
    for (const uint32_t arrived : {12, 13, 14, 15})
    {
        lose(arrived);
        EXPECT_FALSE(requester.HasFailed());
    }
    lose(15); // nothing new
    EXPECT_TRUE(requester.HasFailed());
}

TEST_F(RoceRequesterTest, AttemptsReloadWithProgress)
{
    settings.retryCount = 1;
    auto requester = Make();
    requester.Post(MakeWork(1, 3 * 1024));
    for (uint32_t psn = 10; psn < 12; ++psn)
    {
        TakeAll(requester);
        requester.HandleTimeout(completions);
        EXPECT_FALSE(requester.HasFailed());
        requester.TakePacket(NO_WINDOW);
        requester.HandleAcknowledgment(MakeAck(psn), completions);
    }
    requester.TakePacket(NO_WINDOW);
    requester.HandleTimeout(completions);
    requester.TakePacket(NO_WINDOW);
    requester.HandleTimeout(completions);
    EXPECT_TRUE(requester.HasFailed());
}
