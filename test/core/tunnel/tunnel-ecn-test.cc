// SPDX-License-Identifier: GPL-2.0-only

// The ECN fields of tunnels: figures 3 and 4 of RFC 6040, as they are printed there, and what the
// draft "Precise ECN in WAN" changes.

#include "model/core/tunnel/tunnel-ecn.h"
#include "test/core/core-test.h"

// The order in which RFC 6040 has rows and columns
constexpr std::array<EcnCodepoint, 4> PRINTED{EcnCodepoint::NOT_ECT,
                                              EcnCodepoint::ECT_0,
                                              EcnCodepoint::ECT_1,
                                              EcnCodepoint::CE};

/// RFC 6040, figure 4, as text: rows are inner headers, columns outer ones.
const char* const FIGURE_4[4][4] = {
    {"Not-ECT", "Not-ECT(!!!)", "Not-ECT(!!!)", "drop(!!!)"},
    {"ECT(0)", "ECT(0)", "ECT(1)", "CE"},
    {"ECT(1)", "ECT(1)(!)", "ECT(1)", "CE"},
    {"CE", "CE", "CE(!!!)", "CE"},
};

/// Writes a codepoint as RFC 6040 does.
std::string
ToText(EcnCodepoint codepoint)
{
    switch (codepoint)
    {
    case EcnCodepoint::NOT_ECT:
        return "Not-ECT";
    case EcnCodepoint::ECT_1:
        return "ECT(1)";
    case EcnCodepoint::ECT_0:
        return "ECT(0)";
    case EcnCodepoint::CE:
        return "CE";
    }
    return "?";
}

/// Writes a cell as figure 4 does.
std::string
ToText(const TunnelEcnCell& cell)
{
    const std::string alarm = cell.alarm == TunnelEcnAlarm::NONE       ? ""
                              : cell.alarm == TunnelEcnAlarm::POSSIBLE ? "(!)"
                                                                       : "(!!!)";
    return (cell.isDropped ? "drop" : ToText(cell.inner)) + alarm;
}

// RFC 3168, section 5, figure 1: the values of the field
static_assert(static_cast<int>(EcnCodepoint::NOT_ECT) == 0b00);
static_assert(static_cast<int>(EcnCodepoint::ECT_1) == 0b01);
static_assert(static_cast<int>(EcnCodepoint::ECT_0) == 0b10);
static_assert(static_cast<int>(EcnCodepoint::CE) == 0b11);

TEST(TunnelEcn, Rfc6040Section4_1NormalModeCopiesTheField)
{
    for (const auto inner : PRINTED)
    {
        EXPECT_EQ(EncapsulateEcn(inner, TunnelEcn::NORMAL), inner) << ToText(inner);
    }
}

TEST(TunnelEcn, Rfc6040Section4_1CompatibilityModeGivesNotEct)
{
    for (const auto inner : PRINTED)
    {
        EXPECT_EQ(EncapsulateEcn(inner, TunnelEcn::COMPATIBILITY), EcnCodepoint::NOT_ECT)
            << ToText(inner);
    }
}

TEST(TunnelEcn, Rfc6040Section4_2AllCellsOfDecapsulation)
{
    for (std::size_t row = 0; row < 4; ++row)
    {
        for (std::size_t column = 0; column < 4; ++column)
        {
            EXPECT_EQ(ToText(DecapsulateEcn(PRINTED[row], PRINTED[column], TunnelEcn::RFC_6040)),
                      FIGURE_4[row][column])
                << ToText(PRINTED[row]) << " below " << ToText(PRINTED[column]);
        }
    }
}

TEST(TunnelEcn, DraftSection3_2_2_1AnOuterEct1IsNotCopied)
{
    for (std::size_t row = 0; row < 4; ++row)
    {
        for (std::size_t column = 0; column < 4; ++column)
        {
            const bool isCopied =
                PRINTED[row] == EcnCodepoint::ECT_0 && PRINTED[column] == EcnCodepoint::ECT_1;
            EXPECT_EQ(
                ToText(DecapsulateEcn(PRINTED[row], PRINTED[column], TunnelEcn::PIPE_FOR_ECT_1)),
                isCopied ? "ECT(0)" : FIGURE_4[row][column])
                << ToText(PRINTED[row]) << " below " << ToText(PRINTED[column]);
        }
    }
}

TEST(TunnelEcn, DraftFigure2LightMarksAreTheTwoCellsOfLightCe)
{
    for (const auto egress : {TunnelEcn::RFC_6040, TunnelEcn::PIPE_FOR_ECT_1})
    {
        for (const auto inner : PRINTED)
        {
            for (const auto outer : PRINTED)
            {
                const bool isLight = outer == EcnCodepoint::ECT_1 &&
                                     (inner == EcnCodepoint::ECT_0 || inner == EcnCodepoint::ECT_1);
                EXPECT_EQ(DecapsulateEcn(inner, outer, egress).isLight, isLight)
                    << ToText(inner) << " below " << ToText(outer);
            }
        }
    }
}

/// RFC 6040, section 4.1: what went in unmarked comes out as it was, by either ingress mode.
TEST(TunnelEcn, Rfc6040Section4_1TunnelsWithoutCongestionChangeNothing)
{
    for (const auto ingress : {TunnelEcn::NORMAL, TunnelEcn::COMPATIBILITY})
    {
        for (const auto egress : {TunnelEcn::RFC_6040, TunnelEcn::PIPE_FOR_ECT_1})
        {
            for (const auto inner : PRINTED)
            {
                const auto& cell = DecapsulateEcn(inner, EncapsulateEcn(inner, ingress), egress);
                EXPECT_EQ(ToText(cell), ToText(inner));
            }
        }
    }
}

RC_GTEST_PROP(TunnelEcn, Rfc3168Section5TheDscpIsLeftAlone, ())
{
    const auto tos = DrawAny<uint8_t>();
    const auto codepoint = PRINTED.at(DrawInRange<std::size_t>(0, 4));
    const uint8_t changed = SetEcn(tos, codepoint);
    RC_ASSERT(GetEcn(changed) == codepoint);
    RC_ASSERT(changed >> 2 == tos >> 2);
    RC_ASSERT(SetEcn(changed, GetEcn(tos)) == tos);
}

/// RFC 6040, section 4.2: congestion on any of two nested paths reaches the transport, or the
/// packet is dropped.
RC_GTEST_PROP(TunnelEcn, Rfc6040Section4_2NoMarkIsLost, ())
{
    const auto inner = PRINTED.at(DrawInRange<std::size_t>(0, 4));
    const auto outer = PRINTED.at(DrawInRange<std::size_t>(0, 4));
    const auto egress = static_cast<TunnelEcn::Egress>(DrawInRange(0, 2));
    const auto& cell = DecapsulateEcn(inner, outer, egress);
    if (inner == EcnCodepoint::CE || outer == EcnCodepoint::CE)
    {
        RC_ASSERT(cell.isDropped || cell.inner == EcnCodepoint::CE);
    }
    if (inner == EcnCodepoint::NOT_ECT)
    {
        RC_ASSERT(cell.isDropped || cell.inner == EcnCodepoint::NOT_ECT);
    }
}
