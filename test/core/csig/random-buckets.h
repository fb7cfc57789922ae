// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANDOM_BUCKETS_H
#define AIDC_RANDOM_BUCKETS_H

#include "model/core/csig/csig-quantizer.h"
#include "test/core/core-test.h"

// Buckets at random, and their comparison, for the tests of the core.

namespace ns3::aidc
{

inline bool
operator==(const CsigRange& a, const CsigRange& b)
{
    return a.low == b.low && a.high == b.high;
}

inline bool
operator==(const CsigBuckets& a, const CsigBuckets& b)
{
    bool isSame = a.GetNBuckets() == b.GetNBuckets();
    for (uint32_t code = 0; isSame && code < a.GetNBuckets(); ++code)
    {
        isSame = a.Decode(code) == b.Decode(code);
    }
    return isSame;
}

} // namespace ns3::aidc

namespace aidctest
{

/// Any valid beginnings of buckets.
inline rc::Gen<std::vector<uint64_t>>
GenLows()
{
    return rc::gen::map(rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 32),
                                        [](std::size_t n) {
                                            return rc::gen::container<std::vector<uint64_t>>(
                                                n,
                                                rc::gen::inRange<uint64_t>(1, 1000));
                                        }),
                        [](const std::vector<uint64_t>& widths) {
                            std::vector<uint64_t> lows{0};
                            for (const auto width : widths)
                            {
                                lows.push_back(lows.back() + width);
                            }
                            return lows;
                        });
}

} // namespace aidctest

#endif // AIDC_RANDOM_BUCKETS_H
