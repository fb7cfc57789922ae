// SPDX-License-Identifier: GPL-2.0-only

// The codepoint of a reassembled packet: RFC 3168, section 5.3, for all combinations of two and
// three fragments.

#include "model/core/tunnel/tunnel-ecn.h"
#include "test/core/core-test.h"

using Codepoints = std::vector<EcnCodepoint>;

/// All sequences of so many codepoints.
std::vector<Codepoints>
AllOf(std::size_t size)
{
    std::vector<Codepoints> all{{}};
    while (all.front().size() < size)
    {
        std::vector<Codepoints> longer;
        for (const auto& sequence : all)
        {
            for (const int codepoint : {0, 1, 2, 3})
            {
                longer.push_back(sequence);
                longer.back().push_back(static_cast<EcnCodepoint>(codepoint));
            }
        }
        all = longer;
    }
    return all;
}

std::optional<EcnCodepoint>
Combine(const Codepoints& fragments)
{
    FragmentEcn ecn;
    for (const auto codepoint : fragments)
    {
        ecn.Add(codepoint);
    }
    return ecn.Combine();
}

TEST(FragmentEcn, Rfc3168Section5_3AllCombinationsOfTwoAndThree)
{
    for (const std::size_t size : {1, 2, 3})
    {
        for (const auto& fragments : AllOf(size))
        {
            const auto result = Combine(fragments);
            const auto n = [&fragments](EcnCodepoint codepoint) {
                return std::count(fragments.begin(), fragments.end(), codepoint);
            };
            // "if any fragment [...] has the CE codepoint set, then one of two actions MUST be
            // taken": CE, but not where any other fragment carries Not-ECT, or a drop.
            if (n(EcnCodepoint::CE) > 0 && n(EcnCodepoint::NOT_ECT) > 0)
            {
                EXPECT_EQ(result, std::nullopt);
            }
            else if (n(EcnCodepoint::CE) > 0)
            {
                EXPECT_EQ(result, EcnCodepoint::CE);
            }
            else
            {
                // Never a codepoint that no fragment carries, and never a drop. So it is unchanged
                // "when all of the fragments carry the same codepoint".
                ASSERT_TRUE(result);
                EXPECT_GT(n(*result), 0);
            }
        }
    }
}

TEST(FragmentEcn, MixturesOfWhichRfc3168HasNoRule)
{
    using E = EcnCodepoint;
    EXPECT_EQ(Combine({E::ECT_0, E::ECT_1}), E::ECT_1) << "a light mark is not lost";
    EXPECT_EQ(Combine({E::ECT_0, E::NOT_ECT}), E::NOT_ECT) << "not called capable";
    EXPECT_EQ(Combine({E::ECT_1, E::NOT_ECT, E::ECT_0}), E::NOT_ECT) << "not called capable";
}

TEST(FragmentEcn, PacketsAreToldApartByAddressesIdentificationAndProtocol)
{
    const Ipv4Bytes header{0x45, 0x03, 0, 100, 0x12, 0x34, 0x20, 0, 64, 4,
                           0,    0,    1, 2,   3,    4,    5,    6, 7,  8};
    FragmentEcnTable table;
    table.Add(header);
    Ipv4Bytes next = header;
    next[Ipv4Offset::FRAGMENT + 1] = 10; // another offset
    next[Ipv4Offset::TOS] = 0x02;
    table.Add(next);
    EXPECT_EQ(table.GetN(), 1);
    for (const std::size_t at : {4, 5, 9, 12, 15, 16, 19})
    {
        Ipv4Bytes other = header;
        other.at(at) ^= 1;
        EXPECT_FALSE(table.Take(other)) << "byte " << at;
        other[Ipv4Offset::TOS] = 0x00; // which would have the packet dropped
        table.Add(other);
    }
    const auto ecn = table.Take(next);
    ASSERT_TRUE(ecn);
    EXPECT_EQ(ecn->Combine(), EcnCodepoint::CE);
    EXPECT_FALSE(table.Take(header)) << "taken out";
    EXPECT_EQ(table.GetN(), 7);
}
