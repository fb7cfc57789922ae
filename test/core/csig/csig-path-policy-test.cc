// SPDX-License-Identifier: GPL-2.0-only

// When a flow takes another path: section 8.2.1 of draft-ravi-ippm-csig-01.

#include "test/core/core-test.h"

#include "ns3/csig-bottlenecks.h"

constexpr uint32_t LEAF = 1;
constexpr uint32_t SPINE = 2;
constexpr uint64_t FREE = 50'000'000'000;
constexpr uint64_t BUSY = 1'000'000'000;

CsigLocator
At(uint32_t stage, CsigOrientation orientation)
{
    CsigLocator locator;
    locator.Set(CsigAttribute::STAGE, stage);
    locator.Set(CsigAttribute::ORIENTATION, static_cast<uint32_t>(orientation));
    return locator;
}

/// Make a policy that acts at once.
CsigPathPolicySettings
MakeEager()
{
    CsigPathPolicySettings settings;
    settings.patience = 1;
    settings.pause = 0;
    settings.leafStage = LEAF;
    return settings;
}

TEST(CsigPathPolicy, Section8_2_1StageAndOrientationTellTheLastHop)
{
    EXPECT_TRUE(IsCsigLastHop(At(LEAF, CsigOrientation::DOWN), LEAF));
    EXPECT_FALSE(IsCsigLastHop(At(LEAF, CsigOrientation::UP), LEAF));
    EXPECT_FALSE(IsCsigLastHop(At(SPINE, CsigOrientation::DOWN), LEAF));
    EXPECT_FALSE(IsCsigLastHop(At(LEAF, CsigOrientation::UNKNOWN), LEAF));
}

TEST(CsigPathPolicy, Section8_2_1RehashesForTheCoreOnly)
{
    CsigPathPolicy policy(MakeEager());
    const auto up = At(LEAF, CsigOrientation::UP);
    EXPECT_EQ(policy.NoteSignal(0, FREE, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(1, BUSY, up), CsigPathAction::REHASH);
    EXPECT_EQ(policy.NoteSignal(2, BUSY, At(SPINE, CsigOrientation::DOWN)), CsigPathAction::REHASH);
    EXPECT_EQ(policy.NoteSignal(3, BUSY, At(LEAF, CsigOrientation::DOWN)),
              CsigPathAction::LAST_HOP);
}

TEST(CsigPathPolicy, CanBeBlindToTheLastHop)
{
    auto settings = MakeEager();
    settings.sparesLastHop = false;
    CsigPathPolicy policy(settings);
    EXPECT_EQ(policy.NoteSignal(0, BUSY, At(LEAF, CsigOrientation::DOWN)), CsigPathAction::REHASH);
}

TEST(CsigPathPolicy, NeedsAsManySignalsInARowAsItsPatience)
{
    auto settings = MakeEager();
    settings.patience = 3;
    CsigPathPolicy policy(settings);
    const auto up = At(LEAF, CsigOrientation::UP);
    const auto last = At(LEAF, CsigOrientation::DOWN);
    EXPECT_EQ(policy.NoteSignal(0, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(1, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(2, FREE, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(3, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(4, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(5, BUSY, last), CsigPathAction::LAST_HOP);
    EXPECT_EQ(policy.NoteSignal(6, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(7, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(8, BUSY, up), CsigPathAction::REHASH);
    EXPECT_EQ(policy.NoteSignal(9, BUSY, up), CsigPathAction::KEEP) << "a new path, a new count";
}

TEST(CsigPathPolicy, PausesBetweenChanges)
{
    auto settings = MakeEager();
    settings.pause = 100;
    CsigPathPolicy policy(settings);
    const auto up = At(LEAF, CsigOrientation::UP);
    EXPECT_EQ(policy.NoteSignal(0, BUSY, up), CsigPathAction::REHASH);
    EXPECT_EQ(policy.NoteSignal(99, BUSY, up), CsigPathAction::KEEP);
    EXPECT_EQ(policy.NoteSignal(100, BUSY, up), CsigPathAction::REHASH);
}

TEST(CsigPathPolicy, ComparesWithItsThresholdByAggregation)
{
    const auto up = At(LEAF, CsigOrientation::UP);
    auto settings = MakeEager();
    settings.threshold = 100;
    EXPECT_EQ(CsigPathPolicy(settings).NoteSignal(0, 100, up), CsigPathAction::KEEP);
    EXPECT_EQ(CsigPathPolicy(settings).NoteSignal(0, 99, up), CsigPathAction::REHASH);
    settings.aggregation = CsigAggregation::MAX;
    EXPECT_EQ(CsigPathPolicy(settings).NoteSignal(0, 100, up), CsigPathAction::KEEP);
    EXPECT_EQ(CsigPathPolicy(settings).NoteSignal(0, 101, up), CsigPathAction::REHASH);
}

TEST(CsigPathPolicy, RefusesWhatIsOutOfRange)
{
    auto settings = MakeEager();
    settings.patience = 0;
    EXPECT_THROW(CsigPathPolicy{settings}, std::invalid_argument);
    settings = MakeEager();
    settings.pause = -1;
    EXPECT_THROW(CsigPathPolicy{settings}, std::invalid_argument);
}
