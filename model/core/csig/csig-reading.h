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

/// @ingroup aidc
/// What the fields of a tag say, decoded.
struct CsigReading
{
    CsigSignal signal;   //!< which signal
    CsigRange range;     //!< the values that S stands for, in the signal's unit
    CsigLocator locator; //!< what LM say of the bottleneck
    bool hasBottleneck;  //!< whether some switch has put in its value; if not, locator says nothing

    /// Get one value for the whole range.
    /// @return CsigRange::GetRepresentative()
    uint64_t GetValue() const
    {
        return range.GetRepresentative();
    }

    /// Get the unit of the values.
    /// @return GetCsigUnit() of the signal
    const char* GetUnit() const
    {
        return GetCsigUnit(signal);
    }
};

/**
 * @ingroup aidc
 * @brief Read the fields of a tag.
 * @param fields the fields, any
 * @param signals the type codes
 * @param quantizer the buckets and quanta
 * @param layout the layout of the locator metadata in the tag's format
 * @return what they say; none if the type is of no signal, or the value of no bucket or step and
 *         not the one that hosts begin with
 */
std::optional<CsigReading> ReadCsig(const CsigFields& fields,
                                    const CsigSignalSettings& signals,
                                    const CsigQuantizer& quantizer,
                                    const CsigLocatorLayout& layout);

} // namespace ns3::aidc

#endif // AIDC_CSIG_READING_H
