/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/hot-memory.h"

#include <array>
#include <gtest/gtest.h>

using namespace ns3::aidc;

namespace
{

/// Memory that begins with a line.
struct alignas(CACHE_LINE) Lines
{
    std::array<char, 16 * CACHE_LINE> bytes{}; ///< the memory
};

/// The lines of a part.
std::size_t
CountLines(std::size_t offset, std::size_t size)
{
    const Lines lines;
    HotMemory memory;
    memory.Add(&lines.bytes[offset], size);
    return memory.GetNLines();
}

TEST(HotMemory, CountsTheLinesThatAPartTouches)
{
    EXPECT_EQ(CountLines(0, 0), 0U);
    EXPECT_EQ(CountLines(0, 1), 1U);
    EXPECT_EQ(CountLines(0, 64), 1U);
    EXPECT_EQ(CountLines(0, 65), 2U);
    EXPECT_EQ(CountLines(63, 1), 1U);
    EXPECT_EQ(CountLines(63, 2), 2U);
    EXPECT_EQ(CountLines(56, 136), 3U);
}

TEST(HotMemory, LeavesOutWhatThereIsNoRoomFor)
{
    EXPECT_EQ(CountLines(0, 16 * CACHE_LINE), HotMemory::MAX_LINES);
    const Lines lines;
    HotMemory memory;
    for (std::size_t i = 0; i < 2 * HotMemory::MAX_PARTS; ++i)
    {
        memory.Add(lines.bytes.data(), 1);
    }
    EXPECT_EQ(memory.GetNLines(), HotMemory::MAX_PARTS);
}

TEST(HotMemory, TakesAnyAddress)
{
    HotMemory memory;
    memory.Prefetch();
    memory.Add(nullptr, 100);
    memory.Add(reinterpret_cast<const void*>(~std::uintptr_t{200}), 100);
    memory.Prefetch();
    Prefetch(nullptr, 1000);
    EXPECT_EQ(memory.GetNLines(), 5U); // 2, and 3 from byte 55 of a line on
}

} // namespace
