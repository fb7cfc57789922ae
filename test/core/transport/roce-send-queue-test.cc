// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/transport/roce-requester.h"
#include "test/core/core-test.h"

class RoceSendQueueTest : public ::testing::Test
{
  protected:
    void Push(uint64_t id, uint64_t nBytes, RoceOperation operation)
    {
        RoceWork work;
        work.id = id;
        work.nBytes = nBytes;
        work.operation = operation;
        queue.Push(work);
    }

    RoceSendQueue queue{1024, 82, 7, 10}; // path MTU, overhead, queue pair, first packet
};

TEST_F(RoceSendQueueTest, RequestsAreOneSequenceOfPackets)
{
    Push(1, 2500, RoceOperation::WRITE); // 10 to 12
    Push(2, 5000, RoceOperation::READ);  // 13 to 17: a number for each response
    Push(3, 0, RoceOperation::SEND);     // 18
    EXPECT_EQ(queue.GetEnd(), 19U);
    const std::vector<std::size_t> places{0, 0, 0, 1, 1, 1, 1, 1, 2, 3};
    for (uint64_t i = 0; i < places.size(); ++i)
    {
        EXPECT_EQ(queue.Find(10 + i), places[i]) << i;
    }
    EXPECT_EQ(queue.FindRead(), 1U);
    EXPECT_EQ(queue[0].GetBehind(11), 12U);
    EXPECT_EQ(queue[1].GetBehind(13), 18U) << "all responses are asked for";
    EXPECT_FALSE(queue[0].IsLast(11));
    EXPECT_TRUE(queue[0].IsLast(12));
    EXPECT_TRUE(queue[1].IsLast(13));
}

TEST_F(RoceSendQueueTest, OffsetsAreBytesOnTheWire)
{
    Push(1, 2500, RoceOperation::WRITE);
    Push(2, 5000, RoceOperation::READ);
    Push(3, 0, RoceOperation::SEND);
    EXPECT_EQ(queue.GetOffset(0, 10), 0U);
    EXPECT_EQ(queue.GetOffset(0, 12), 2U * (1024 + 82));
    EXPECT_EQ(queue.GetOffset(1, 13), 2500U + 3 * 82);
    EXPECT_EQ(queue.GetOffset(1, 16), 2500U + 4 * 82) << "a request has no payload";
    EXPECT_EQ(queue.GetOffset(3, 19), 2500U + 5 * 82);
}

TEST_F(RoceSendQueueTest, WhatWasNotSentBecomesLess)
{
    Push(1, 2500, RoceOperation::WRITE); // 10 to 12
    Push(2, 5000, RoceOperation::SEND);  // 13 to 17
    Push(3, 2100, RoceOperation::SEND);  // 18 to 20
    EXPECT_EQ(queue.Shorten(18, 1023), 0U) << "whole packets";
    EXPECT_EQ(queue.Shorten(18, 3000), 2048U) << "all but its last one";
    EXPECT_EQ(queue.GetEnd(), 19U);
    EXPECT_EQ(queue.MakePacket(2, 18).payloadSize, 2100U - 2048);
    EXPECT_EQ(queue.MakePacket(2, 18).opcode, RoceOpcode::SEND_ONLY);
    EXPECT_EQ(queue.GetOffset(3, 19), 2500 + 3 * 82 + 5000 + 5 * 82 + 52 + 82U);
    EXPECT_EQ(queue.Shorten(14, 2048), 2048U) << "13 stays, and 14 and 15 go";
    EXPECT_EQ(queue.GetEnd(), 17U);
    EXPECT_EQ(queue[1].work.nBytes, 5000U - 2048);
    EXPECT_EQ(queue.MakePacket(1, 14).opcode, RoceOpcode::SEND_MIDDLE);
    EXPECT_EQ(queue.MakePacket(1, 15).opcode, RoceOpcode::SEND_LAST);
    EXPECT_EQ(queue.MakePacket(1, 15).payloadSize, 5000U - 4 * 1024);
    EXPECT_EQ(queue.Find(16), 2U);
    EXPECT_EQ(queue.GetOffset(2, 16), 2500 + 3 * 82 + 5000 - 2048 + 3 * 82U);
    EXPECT_EQ(queue.Shorten(10, 1000000), 1024 * 2U) << "and no request to write";
    EXPECT_EQ(queue.GetEnd(), 15U);
    EXPECT_EQ(queue.Pop(RoceStatus::SUCCESS).nBytes, 2500U);
    EXPECT_EQ(queue.Pop(RoceStatus::SUCCESS).nBytes, 5000U - 4 * 1024);
}

TEST_F(RoceSendQueueTest, TheOldestRequestEnds)
{
    Push(1, 100, RoceOperation::WRITE);
    Push(2, 200, RoceOperation::SEND);
    EXPECT_EQ(queue.FindRead(), 2U) << "there is none";
    const auto first = queue.Pop(RoceStatus::SUCCESS);
    EXPECT_EQ(first.id, 1U);
    EXPECT_EQ(first.nBytes, 100U);
    EXPECT_EQ(queue.GetOffset(0, 11), 182U) << "offsets go on";
    const auto second = queue.Pop(RoceStatus::FLUSHED);
    EXPECT_EQ(second.operation, RoceOperation::SEND);
    EXPECT_EQ(second.status, RoceStatus::FLUSHED);
    EXPECT_EQ(queue.GetSize(), 0U);
    queue.Restart(11, 182);
    EXPECT_EQ(queue.GetEnd(), 11U);
    EXPECT_EQ(queue.GetOffset(0, 11), 182U);
}
