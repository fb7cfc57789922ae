/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_READING_H
#define AIDC_CSIG_READING_H

#include "csig-buckets.h"
#include "csig-fields.h"
#include "csig-locator.h"
#include "csig-quantizer.h"
#include "csig-signal.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The decoded fields of a tag.
struct CsigReading
{
    CsigSignal signal;   //!< the signal
    CsigRange range;     //!< the values that S stands for, in the signal's unit
    CsigLocator locator; //!< the attributes of the bottleneck, from LM
    bool hasBottleneck;  //!< whether some switch has written its value; if not, ignore locator

    /// Get one value for the whole range. @return CsigRange::GetRepresentative()
    uint64_t GetValue() const
    {
        return range.GetRepresentative();
    }

    /// Get the unit of the values. @return GetCsigUnit() of the signal
    const char* GetUnit() const
    {
        return GetCsigUnit(signal);
    }
};

/**
 * @brief Read the fields of a tag.
 * @param fields the fields, any
 * @param signals the type codes
 * @param quantizer the buckets and quanta
 * @param layout the layout of the locator metadata in the tag's format
 * @return the reading; none if no signal has the type, or if no bucket or step has the value and it
 *         is not the initial value of hosts
 */
std::optional<CsigReading> ReadCsig(const CsigFields& fields,
                                    const CsigSignalSettings& signals,
                                    const CsigQuantizer& quantizer,
                                    const CsigLocatorLayout& layout);

} // namespace ns3::aidc

#endif // AIDC_CSIG_READING_H
