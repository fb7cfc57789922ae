// SPDX-License-Identifier: GPL-2.0-only

// The bytes of CSIG's reflection: section 4.2 of draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-reflection.h"
#include "test/core/core-test.h"

using Bytes = std::vector<uint8_t>;

constexpr TcpExperimentalOption OPTION{253, CSIG_DEFAULT_EXID};

// T=2, R=0, S=5, LM=0x41: 010 0 00101 1000001
const CsigFields COMPACT{CsigFormat::COMPACT, 2, 0, 0x41, 5};
const Bytes COMPACT_DATA{0x42, 0xC1};
// LM=0x1234, T=1, S=0xABCDE, R=0
const CsigFields EXPANDED{CsigFormat::EXPANDED, 1, 0, 0x1234, 0xABCDE};
const Bytes EXPANDED_DATA{0x12, 0x34, 0x1A, 0xBC, 0xDE, 0x00};

Bytes
EncodeOption(const std::optional<CsigFields>& fields, const TcpExperimentalOption& option = OPTION)
{
    Bytes bytes(CSIG_MAX_OPTION_SIZE);
    bytes.resize(EncodeCsigOption(fields, option, bytes.data()));
    return bytes;
}

Bytes
EncodeReflection(const CsigReflection& reflection)
{
    Bytes bytes(CSIG_MAX_REFLECTION_SIZE);
    bytes.resize(EncodeCsigReflection(reflection, bytes.data()));
    return bytes;
}

Bytes
Join(Bytes first, const Bytes& data)
{
    first.insert(first.end(), data.begin(), data.end());
    return first;
}

rc::Gen<CsigFields>
AnyFields()
{
    return rc::gen::exec([] {
        CsigFields fields;
        fields.format = DrawElement({CsigFormat::COMPACT, CsigFormat::EXPANDED});
        const auto widths = GetCsigWidths(fields.format);
        const auto any = [](uint32_t width) { return DrawInRange<uint32_t>(0, 1U << width); };
        fields.type = static_cast<uint8_t>(any(widths.type));
        fields.reserved = static_cast<uint8_t>(any(widths.reserved));
        fields.locator = static_cast<uint16_t>(any(widths.locator));
        fields.value = any(widths.value);
        return fields;
    });
}

TEST(CsigReflection, Section421OptionCarriesTheDataFields)
{
    EXPECT_EQ(EncodeOption(COMPACT), Join({253, 6, 0xC5, 0x16}, COMPACT_DATA));
    EXPECT_EQ(EncodeOption(EXPANDED), Join({253, 10, 0xC5, 0x16}, EXPANDED_DATA));
    EXPECT_EQ(EncodeOption(COMPACT, {254, 0x0102}), Join({254, 6, 0x01, 0x02}, COMPACT_DATA));
}

TEST(CsigReflection, Section421OptionOfTheDraftHasNoIdentifier)
{
    constexpr TcpExperimentalOption draft{200, 0, false};
    EXPECT_EQ(EncodeOption(std::nullopt, draft), (Bytes{200, 2}));
    EXPECT_EQ(EncodeOption(COMPACT, draft), Join({200, 4}, COMPACT_DATA));
    EXPECT_EQ(EncodeOption(EXPANDED, draft), Join({200, 8}, EXPANDED_DATA));
    for (std::size_t length = 0; length <= 40; ++length)
    {
        auto bytes = Join({200, static_cast<uint8_t>(length)}, Bytes(38));
        bytes.resize(length);
        bytes.shrink_to_fit();
        const auto decoded = DecodeCsigOption(bytes.data(), length, draft);
        EXPECT_EQ(decoded.has_value(), length == 2 || length == 4 || length == 8) << length;
        EXPECT_EQ(decoded && decoded->untagged, length == 2) << length;
    }
    for (const auto& fields : {COMPACT, EXPANDED})
    {
        const auto bytes = EncodeOption(fields, draft);
        EXPECT_EQ(DecodeCsigOption(bytes.data(), bytes.size(), draft)->fields, fields);
        EXPECT_FALSE(DecodeCsigOption(bytes.data(), bytes.size(), {201, 0, false}));
    }
}

TEST(CsigReflection, Section633OptionOfTheHandshakeHasNoData)
{
    EXPECT_EQ(EncodeOption(std::nullopt), (Bytes{253, 4, 0xC5, 0x16}));
    const auto decoded = DecodeCsigOption(EncodeOption(std::nullopt).data(), 4, OPTION);
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(decoded->fields);
    EXPECT_TRUE(decoded->untagged);
}

TEST(CsigReflection, Section421OptionOfAnyOtherLengthIsRefused)
{
    for (std::size_t length = 0; length <= 40; ++length)
    {
        auto bytes = Join({253, static_cast<uint8_t>(length), 0xC5, 0x16}, Bytes(36));
        bytes.resize(length); // so that reading beyond is an error that sanitizers see
        bytes.shrink_to_fit();
        EXPECT_EQ(DecodeCsigOption(bytes.data(), length, OPTION).has_value(),
                  length == 4 || length == 6 || length == 10)
            << length;
    }
}

TEST(CsigReflection, Section421OtherOptionsAreNotTaken)
{
    EXPECT_FALSE(DecodeCsigOption(EncodeOption(COMPACT, {254, 0xC516}).data(), 6, OPTION));
    EXPECT_FALSE(DecodeCsigOption(EncodeOption(COMPACT, {253, 0xC517}).data(), 6, OPTION));
    auto bytes = EncodeOption(COMPACT);
    bytes[1] = 10; // says more than it has
    EXPECT_FALSE(DecodeCsigOption(bytes.data(), 6, OPTION));
}

TEST(CsigReflection, Section422HeaderIsFlagsAndDataFields)
{
    EXPECT_EQ(EncodeReflection({COMPACT, false}), Join({0x80}, COMPACT_DATA));
    EXPECT_EQ(EncodeReflection({EXPANDED, false}), Join({0xC0}, EXPANDED_DATA));
    EXPECT_EQ(EncodeReflection({COMPACT, true}), Join({0xA0}, COMPACT_DATA));
}

TEST(CsigReflection, Section422HeaderWithoutTheValidBitHasNoFields)
{
    EXPECT_EQ(EncodeReflection({std::nullopt, false}), (Bytes{0x00, 0, 0}));
    EXPECT_EQ(EncodeReflection({std::nullopt, true}), (Bytes{0x20, 0, 0}));
    // Whatever the fields are then
    CsigReflection reflection{COMPACT, true};
    const Bytes invalid{0x00, 0x42, 0xC1};
    EXPECT_EQ(DecodeCsigReflection(invalid.data(), invalid.size(), reflection), 3U);
    EXPECT_EQ(reflection, CsigReflection{});
}

TEST(CsigReflection, Section422UnknownFlagsAreIgnored)
{
    CsigReflection reflection;
    const auto bytes = Join({0x9F}, COMPACT_DATA);
    EXPECT_EQ(DecodeCsigReflection(bytes.data(), bytes.size(), reflection), 3U);
    EXPECT_EQ(reflection, (CsigReflection{COMPACT, false}));
}

TEST(CsigReflection, Section422CutHeaderIsNotRead)
{
    for (const auto& fields : {COMPACT, EXPANDED})
    {
        const auto whole = EncodeReflection({fields, false});
        for (std::size_t length = 0; length < whole.size(); ++length)
        {
            Bytes cut(whole.begin(), whole.begin() + length);
            CsigReflection reflection{std::nullopt, true};
            EXPECT_EQ(DecodeCsigReflection(cut.data(), length, reflection), 0U) << length;
            EXPECT_EQ(reflection, (CsigReflection{std::nullopt, true})) << length;
        }
    }
}

RC_GTEST_PROP(CsigReflection, OptionComesBackAsItWas, ())
{
    const auto fields = *AnyFields();
    const TcpExperimentalOption option{DrawElement<uint8_t>({253, 254}), DrawAny<uint16_t>()};
    const auto bytes = EncodeOption(fields, option);
    RC_ASSERT(DecodeCsigOption(bytes.data(), bytes.size(), option) ==
              std::optional(CsigReflection{fields, false}));
}

RC_GTEST_PROP(CsigReflection, HeaderComesBackAsItWas, ())
{
    CsigReflection reflection;
    reflection.untagged = DrawAny<bool>();
    if (DrawAny<bool>())
    {
        reflection.fields = *AnyFields();
    }
    auto bytes = EncodeReflection(reflection);
    const auto size = bytes.size();
    bytes.resize(size + DrawInRange(0, 5), 0xFF);
    CsigReflection decoded;
    RC_ASSERT(DecodeCsigReflection(bytes.data(), bytes.size(), decoded) == size);
    RC_ASSERT(decoded == reflection);
}

RC_GTEST_PROP(CsigReflection, AnyBytesAreReadOrRefused, (Bytes bytes))
{
    CsigReflection reflection;
    const auto size = DecodeCsigReflection(bytes.data(), bytes.size(), reflection);
    RC_ASSERT(size <= bytes.size());
    const auto option = DecodeCsigOption(bytes.data(), bytes.size(), OPTION);
    if (option)
    {
        // What is accepted is written as it came.
        RC_ASSERT(EncodeOption(option->fields) == bytes);
    }
}
