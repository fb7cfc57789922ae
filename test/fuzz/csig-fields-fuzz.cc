// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as a CSIG tag, as its data fields, as a table of buckets, as a list of speeds and as a
// locator's layout: each is either refused or comes back from what it was decoded to.

#include "fuzz-require.h"
#include "model/core/csig/csig-fields.h"
#include "model/core/csig/csig-locator.h"
#include "model/core/csig/csig-quantizer.h"

#include "ns3/csig-signal.h"

#include <array>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace
{

/// Encodes fields that were decoded from a tag or from data fields, and compares.
void
CheckFields(const CsigFields& fields, const uint8_t* data, bool hasTpid)
{
    Require(CanEncodeCsig(fields), "what was decoded can be encoded");
    std::array<uint8_t, CSIG_MAX_TAG_SIZE> bytes;
    const auto size =
        hasTpid ? EncodeCsigTag(fields, {}, bytes.data()) : EncodeCsigData(fields, bytes.data());
    Require(std::equal(bytes.begin(), bytes.begin() + size, data), "the bytes are the same");
    const auto again =
        hasTpid ? DecodeCsigTag(bytes.data(), size, {}) : DecodeCsigData(bytes.data(), size);
    Require(again == fields, "the fields are the same");
    std::ostringstream text;
    text << fields;
    Require(!text.str().empty(), "fields can be printed");
}

/// Decodes any bytes as a tag and as data fields.
void
CheckBytes(const uint8_t* data, std::size_t size)
{
    const auto tag = DecodeCsigTag(data, size, {});
    if (tag)
    {
        Require(size >= GetCsigTagSize(tag->format), "a tag has all its bytes");
        CheckFields(*tag, data, true);
    }
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        const auto length = GetCsigDataSize(format);
        if (size >= length)
        {
            const auto fields = DecodeCsigData(data, length);
            Require(fields && fields->format == format, "any bytes of the length are data fields");
            CheckFields(*fields, data, false);
        }
    }
    const bool isLength = size == 2 || size == 6;
    Require(DecodeCsigData(data, size).has_value() == isLength, "the length tells the format");
}

/// Reads any text as a table of buckets.
void
CheckBuckets(const std::string& text)
{
    for (std::size_t i = 0; i < CSIG_SIGNALS; ++i)
    {
        const auto signal = static_cast<CsigSignal>(i);
        std::optional<CsigBuckets> buckets;
        try
        {
            buckets = ParseCsigBuckets(signal, text);
        }
        catch (const std::invalid_argument&)
        {
            continue; // refused, as most texts are
        }
        const auto again = ParseCsigBuckets(signal, FormatCsigBuckets(signal, *buckets));
        Require(again.GetNBuckets() == buckets->GetNBuckets(), "as many buckets read back");
        for (uint32_t code = 0; code < buckets->GetNBuckets(); ++code)
        {
            const auto range = buckets->Decode(code);
            const auto same = again.Decode(code);
            Require(same.low == range.low && same.high == range.high, "buckets read back");
            Require(range.low < range.high, "no bucket is empty");
            Require(buckets->Encode(range.low) == code, "a bucket holds where it begins");
            Require(buckets->Encode(range.high - 1) == code, "a bucket holds where it ends");
        }
    }
}

/// Reads any text as a list of speeds.
void
CheckSpeeds(const std::string& text)
{
    std::optional<CsigSpeeds> speeds;
    try
    {
        speeds = ParseCsigSpeeds(text);
    }
    catch (const std::invalid_argument&)
    {
        return;
    }
    const auto written = FormatCsigSpeeds(*speeds);
    Require(FormatCsigSpeeds(ParseCsigSpeeds(written)) == written, "speeds read back");
    for (uint32_t number = 0; speeds->Decode(number + 1) != 0; ++number)
    {
        Require(speeds->Encode(speeds->Decode(number + 1)) == number + 1, "a speed has its number");
    }
}

/// Reads any text as a locator's layout.
void
CheckLayout(const std::string& text)
{
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        std::optional<CsigLocatorLayout> layout;
        try
        {
            layout = CsigLocatorLayout::Parse(format, text);
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
        const auto all = layout->Encode(layout->Decode(UINT16_MAX));
        Require(all <= GetCsigMaximum(GetCsigWidths(format).locator), "a locator fits");
        Require((all & (all + 1)) == 0, "a locator leaves no gap");
        Require((layout->SetTtl(0, UINT8_MAX) & ~all) == 0, "TTL is within the locator");
        Require(CsigLocatorLayout::Parse(format, layout->Format()).Format() == layout->Format(),
                "a layout reads back");
    }
}

} // namespace

/// What libFuzzer calls with each input.
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    CheckBytes(data, size);
    const std::string text(data, data + size);
    CheckBuckets(text);
    CheckSpeeds(text);
    CheckLayout(text);
    return 0;
}
