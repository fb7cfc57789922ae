// SPDX-License-Identifier: GPL-2.0-only

// Any bytes as the header of an Ethernet frame, of a reader that knows no tags beside VLAN's and of
// one that does: what is whole is written as the bytes that it was read from.

#include "fuzz-require.h"
#include "model/core/ethernet/ethernet-fields.h"

#include <array>

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    for (const auto& known : {KnownTags(), KnownTags{{{{0x88b5, 4}, {0x88b6, 8}}}}})
    {
        EthernetFields fields;
        const bool isWhole = DecodeEthernetHeader(data, size, known, fields);
        Require(isWhole || size < EthernetFields::MAX_SIZE, "bytes enough for any header are one");
        if (isWhole)
        {
            std::array<uint8_t, EthernetFields::MAX_SIZE> bytes;
            Require(fields.GetSize() <= std::min(size, bytes.size()), "a header has all its bytes");
            Require(fields.tagSize == 0 ||
                        known.GetSize(static_cast<uint16_t>(fields.tag[0] << 8 | fields.tag[1])) ==
                            fields.tagSize,
                    "the last tag is a known one");
            EncodeEthernetHeader(fields, bytes.data());
            Require(std::equal(bytes.begin(), bytes.begin() + fields.GetSize(), data),
                    "the bytes are the same");
        }
    }
    return 0;
}
