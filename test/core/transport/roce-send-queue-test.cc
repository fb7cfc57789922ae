/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/core/transport/roce-send-queue.h"
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
