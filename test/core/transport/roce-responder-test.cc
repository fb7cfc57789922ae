// SPDX-License-Identifier: GPL-2.0-only

// What a responder does and answers: InfiniBand Architecture Specification, volume 1, section 9.7.

#include "model/core/transport/roce-responder.h"
#include "test/core/core-test.h"

constexpr uint32_t MTU = 1024;

class RoceResponderTest : public ::testing::Test
{
  protected:
    RoceResponderTest()
    {
        settings.pathMtu = MTU;
        key = regions.Register(0x1000, 0x10000);
    }

    RoceResponder Make() const
    {
        return {settings, 0xdef, 10, regions};
    }

    RocePacket MakeWrite(RoceOpcode opcode, uint32_t psn, uint32_t nBytes, uint32_t length = 0)
    {
        RocePacket packet;
        packet.opcode = opcode;
        packet.psn = psn;
        packet.payloadSize = nBytes;
        packet.dmaLength = length;
        packet.remoteKey = key;
        packet.virtualAddress = 0x1000;
        packet.isAckRequested = true;
        return packet;
    }

    RoceSettings settings;
    RoceMemoryRegions regions;
    uint32_t key;
    std::vector<RoceDelivery> deliveries;
};

TEST_F(RoceResponderTest, TheMessageSequenceNumberCountsWholeMessages)
{
    auto responder = Make();
    auto answer =
        responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, MTU + 5), deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->opcode, RoceOpcode::ACKNOWLEDGE);
    EXPECT_EQ(answer->psn, 10U);
    EXPECT_EQ(answer->msn, 0U);
    EXPECT_EQ(answer->syndrome, 0x1f);
    EXPECT_EQ(answer->destinationQp, 0xdefU);
    EXPECT_TRUE(deliveries.empty());
    answer = responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_LAST, 11, 5), deliveries);
    EXPECT_EQ(answer->msn, 1U);
    ASSERT_EQ(deliveries.size(), 1U);
    EXPECT_EQ(deliveries[0].nBytes, MTU + 5U);
}

TEST_F(RoceResponderTest, WhatComesTooEarlyIsRefusedOnceWithTheNumberThatIsMissing)
{
    auto responder = Make();
    auto answer = responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 12, 5, 5), deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->syndrome, 0x60);
    EXPECT_EQ(answer->psn, 10U);
    EXPECT_FALSE(responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 13, 5, 5), deliveries));
    EXPECT_TRUE(responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5), deliveries));
    EXPECT_EQ(deliveries.size(), 1U);
    // Armed again.
    answer = responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 12, 5, 5), deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->psn, 11U);
    EXPECT_EQ(answer->msn, 1U);
}

TEST_F(RoceResponderTest, ADuplicateIsAcknowledgedWithTheNewestNumberAndNotExecuted)
{
    auto responder = Make();
    responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5), deliveries);
    responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 11, 5, 5), deliveries);
    auto again = MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5);
    again.isAckRequested = false;
    const auto answer = responder.HandleRequest(again, deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->psn, 11U);
    EXPECT_EQ(deliveries.size(), 2U);
}

TEST_F(RoceResponderTest, InvalidRequestsAreRefusedForGood)
{
    struct Row
    {
        const char* name;
        std::vector<RocePacket> packets;
    };

    const std::vector<Row> rows{
        {"middle without first", {MakeWrite(RoceOpcode::WRITE_MIDDLE, 10, MTU)}},
        {"last without first", {MakeWrite(RoceOpcode::WRITE_LAST, 10, 5)}},
        {"first in an open message",
         {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, 2 * MTU),
          MakeWrite(RoceOpcode::WRITE_FIRST, 11, MTU, 2 * MTU)}},
        {"sent within written",
         {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, 2 * MTU),
          MakeWrite(RoceOpcode::SEND_LAST, 11, MTU)}},
        {"short first", {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU - 1, 2 * MTU)}},
        {"long only", {MakeWrite(RoceOpcode::WRITE_ONLY, 10, MTU + 1, MTU + 1)}},
        {"empty last",
         {MakeWrite(RoceOpcode::SEND_FIRST, 10, MTU), MakeWrite(RoceOpcode::SEND_LAST, 11, 0)}},
        {"all announced in the first", {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, MTU)}},
        {"less than announced",
         {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, 2 * MTU),
          MakeWrite(RoceOpcode::WRITE_LAST, 11, MTU - 1)}},
        {"more than announced",
         {MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, MTU + 1),
          MakeWrite(RoceOpcode::WRITE_MIDDLE, 11, MTU)}},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.name);
        auto responder = Make();
        std::optional<RocePacket> answer;
        for (const auto& packet : row.packets)
        {
            EXPECT_FALSE(responder.HasFailed());
            answer = responder.HandleRequest(packet, deliveries);
        }
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->syndrome, 0x61);
        EXPECT_TRUE(responder.HasFailed());
        EXPECT_FALSE(
            responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5), deliveries));
    }
    EXPECT_TRUE(deliveries.empty());
}

TEST_F(RoceResponderTest, MemoryIsCheckedButForNoBytes)
{
    auto good = MakeWrite(RoceOpcode::WRITE_ONLY, 10, 16, 16);
    good.virtualAddress = 0x1000 + 0x10000 - 16;
    EXPECT_EQ(Make().HandleRequest(good, deliveries)->syndrome, 0x1f);
    auto beyond = good;
    ++beyond.virtualAddress;
    EXPECT_EQ(Make().HandleRequest(beyond, deliveries)->syndrome, 0x62);
    auto wraps = good;
    wraps.virtualAddress = 0xffffffffffffffff;
    EXPECT_EQ(Make().HandleRequest(wraps, deliveries)->syndrome, 0x62);
    auto otherKey = good;
    otherKey.remoteKey = key + 1;
    EXPECT_EQ(Make().HandleRequest(otherKey, deliveries)->syndrome, 0x62);
    otherKey.payloadSize = otherKey.dmaLength = 0;
    EXPECT_EQ(Make().HandleRequest(otherKey, deliveries)->syndrome, 0x1f);
}

TEST_F(RoceResponderTest, AReadIsAnsweredByResponsesWithItsNumbers)
{
    auto responder = Make();
    auto request = MakeWrite(RoceOpcode::READ_REQUEST, 10, 0, 2500);
    EXPECT_FALSE(responder.HandleRequest(request, deliveries));
    // What is answered later waits, and its acknowledgment is the newest one.
    EXPECT_FALSE(responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 13, 5, 5), deliveries));

    struct Row
    {
        RoceOpcode opcode;
        uint32_t psn;
        uint32_t nBytes;
        uint32_t msn;
    };

    for (const auto& row : {Row{RoceOpcode::READ_RESPONSE_FIRST, 10, MTU, 1},
                            Row{RoceOpcode::READ_RESPONSE_MIDDLE, 11, MTU, 0},
                            Row{RoceOpcode::READ_RESPONSE_LAST, 12, 2500 - 2 * MTU, 1}})
    {
        EXPECT_FALSE(responder.TakeDeferred());
        const auto response = responder.TakeReadResponse();
        EXPECT_EQ(response.opcode, row.opcode);
        EXPECT_EQ(response.psn, row.psn);
        EXPECT_EQ(response.payloadSize, row.nBytes);
        EXPECT_EQ(response.msn, row.msn); // counted when the request is accepted
    }
    EXPECT_FALSE(responder.HasReadResponse());
    const auto deferred = responder.TakeDeferred();
    ASSERT_TRUE(deferred);
    EXPECT_EQ(deferred->psn, 13U);
    EXPECT_EQ(deferred->msn, 2U);
    EXPECT_FALSE(responder.TakeDeferred());
}

TEST_F(RoceResponderTest, ARepeatedReadMayBeginInTheMiddleOfTheFormerOne)
{
    auto responder = Make();
    auto request = MakeWrite(RoceOpcode::READ_REQUEST, 10, 0, 2500);
    responder.HandleRequest(request, deliveries);
    responder.TakeReadResponse();
    auto again = MakeWrite(RoceOpcode::READ_REQUEST, 11, 0, 2500 - MTU);
    again.virtualAddress += MTU;
    responder.HandleRequest(again, deliveries);
    EXPECT_EQ(responder.TakeReadResponse().psn, 11U);
    EXPECT_EQ(responder.TakeReadResponse().psn, 12U);
    EXPECT_FALSE(responder.HasReadResponse());
    // One that asks for something else is dropped.
    again.virtualAddress += 1;
    responder.HandleRequest(again, deliveries);
    EXPECT_FALSE(responder.HasReadResponse());
}

TEST_F(RoceResponderTest, AReceiverWithoutReceiveRequestAsksToWait)
{
    settings.rnrTimer = 14;
    auto responder = Make();
    responder.LimitReceives();
    // What is only written needs none.
    EXPECT_EQ(
        responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5), deliveries)->syndrome,
        0x1f);
    const auto send = MakeWrite(RoceOpcode::SEND_ONLY, 11, 5);
    const auto answer = responder.HandleRequest(send, deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->syndrome, 0x20 | 14);
    EXPECT_EQ(answer->psn, 11U);
    // What was under way behind it is not answered.
    EXPECT_FALSE(responder.HandleRequest(MakeWrite(RoceOpcode::SEND_ONLY, 12, 5), deliveries));
    responder.PostReceive();
    EXPECT_EQ(responder.HandleRequest(send, deliveries)->syndrome, 0x1f);
    // Immediate data of what is written takes one too.
    EXPECT_EQ(
        responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY_IMMEDIATE, 12, 5, 5), deliveries)
            ->syndrome,
        0x20 | 14);
}

TEST_F(RoceResponderTest, SelectiveRepeatKeepsWhatComesEarlyAndNamesIt)
{
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    auto responder = Make();
    for (uint32_t psn : {12, 11})
    {
        const auto answer =
            responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, psn, 5, 5), deliveries);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->syndrome, 0x60);
        EXPECT_EQ(answer->psn, 10U);
        EXPECT_TRUE(answer->hasSelective);
        EXPECT_EQ(answer->selectivePsn, psn);
    }
    EXPECT_TRUE(deliveries.empty());
    const auto answer =
        responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, 10, 5, 5), deliveries);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->syndrome, 0x1f);
    EXPECT_EQ(answer->psn, 12U);
    EXPECT_EQ(answer->msn, 3U);
    EXPECT_EQ(deliveries.size(), 3U);
}

TEST_F(RoceResponderTest, WhatFillsAGapIsAcknowledgedWithAllThatFollows)
{
    // Of a message of 30 packets, number 5 is lost. Number 15 asks for an acknowledgment, and the
    // packets behind it do not.
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    auto responder = Make();
    const auto handle = [&](uint32_t i) {
        auto packet = MakeWrite(i == 0 ? RoceOpcode::WRITE_FIRST : RoceOpcode::WRITE_MIDDLE,
                                10 + i,
                                MTU,
                                i == 0 ? 31 * MTU : 0);
        packet.isAckRequested = i == 5 || i == 15;
        return responder.HandleRequest(packet, deliveries);
    };
    for (uint32_t i = 0; i < 30; ++i)
    {
        if (i != 5)
        {
            handle(i);
        }
    }
    const auto answer = handle(5);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->syndrome, 0x1f);
    EXPECT_EQ(answer->psn, 10U + 29);
}

TEST_F(RoceResponderTest, WhatFillsAGapIsNotAcknowledgedIfNobodyAsks)
{
    // Networks that spray packets have gaps all the time.
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.reorderWindow = 4;
    auto responder = Make();
    auto first = MakeWrite(RoceOpcode::WRITE_FIRST, 10, MTU, 4 * MTU);
    auto second = MakeWrite(RoceOpcode::WRITE_MIDDLE, 11, MTU);
    first.isAckRequested = second.isAckRequested = false;
    EXPECT_FALSE(responder.HandleRequest(second, deliveries));
    EXPECT_FALSE(responder.HandleRequest(first, deliveries));
}

TEST_F(RoceResponderTest, NumbersBeforeTheFirstOneAreThoseOfDuplicates)
{
    // InfiniBand, section 9.7.2: half of the numbers are before the expected one, also if they
    // wrap.
    struct Row
    {
        uint32_t first;
        uint32_t duplicate;
        uint32_t newest;
    };

    for (const auto& row : {Row{2, 0xfffffe, 1},
                            Row{0, 0xffffff, 0xffffff},
                            Row{5, 1, 4},
                            Row{0, 0x800000, 0xffffff}})
    {
        RoceResponder responder(settings, 0xdef, row.first, regions);
        const auto answer =
            responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, row.duplicate, 5, 5),
                                    deliveries);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->syndrome, 0x1f);
        EXPECT_EQ(answer->psn, row.newest);
    }
    EXPECT_TRUE(deliveries.empty());
}

TEST_F(RoceResponderTest, AskingAgainLeavesAloneWhatIsReadBefore)
{
    auto responder = Make();
    auto read = MakeWrite(RoceOpcode::READ_REQUEST, 10, 0, 3 * MTU);
    responder.HandleRequest(read, deliveries);
    read.psn = 13;
    read.dmaLength = 2 * MTU;
    responder.HandleRequest(read, deliveries);
    responder.HandleRequest(read, deliveries); // the second one, again
    for (uint32_t psn = 10; psn < 15; ++psn)
    {
        ASSERT_TRUE(responder.HasReadResponse());
        EXPECT_EQ(responder.TakeReadResponse().psn, psn);
    }
    EXPECT_FALSE(responder.HasReadResponse());
}

TEST_F(RoceResponderTest, WithinTheReorderWindowWhatIsMissingMayStillCome)
{
    settings.recovery = RoceSettings::SELECTIVE_REPEAT;
    settings.reorderWindow = 2;
    auto responder = Make();
    const auto handle = [&](uint32_t psn) {
        return responder.HandleRequest(MakeWrite(RoceOpcode::WRITE_ONLY, psn, 5, 5), deliveries);
    };
    EXPECT_FALSE(handle(11));
    EXPECT_FALSE(handle(12));
    auto answer = handle(13); // the third one that has overtaken
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->syndrome, 0x60);
    EXPECT_EQ(answer->psn, 10U);
    EXPECT_EQ(answer->selectivePsn, 13U);
    answer = handle(10);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->psn, 13U);
    EXPECT_EQ(deliveries.size(), 4U);
}
