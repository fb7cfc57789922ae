/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PORT_PLACE_H
#define AIDC_CSIG_PORT_PLACE_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-locator.h"

#include "ns3/csig-signal.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

class CsigDomain;

/// The place of a switch's port in the network, as it is written into tags (section 5.5 of
/// draft-ravi-ippm-csig-01).
class CsigPortPlace
{
  public:
    /// The user's description of the port. Each number is written if the layout has it.
    struct Settings
    {
        uint32_t stage{0};                                     //!< the stage of its switch
        CsigOrientation orientation{CsigOrientation::UNKNOWN}; //!< where it leads to
        uint32_t port{0};                                      //!< its number
        uint32_t device{0};                                    //!< the number of its switch
        uint32_t custom{0};                                    //!< a number of the user's own
    };

    /// Encode the place in each layout of a domain.
    /// @param settings the user's description of the port
    /// @param capacity its speed in bit/s
    /// @param domain what the whole network has in common
    /// @throws std::invalid_argument if a number does not fit its bits
    void Encode(const Settings& settings, uint64_t capacity, const CsigDomain& domain);

    /// signal: the signal, which may have a layout of its own. @return LM, with TTL 0
    uint16_t GetLocator(CsigFormat format, CsigSignal signal) const
    {
        return m_locators[static_cast<std::size_t>(format)][static_cast<std::size_t>(signal)];
    }

    /// @return whether a locator of the format has the packet's TTL
    bool UsesTtl(CsigFormat format) const
    {
        return m_usesTtl[static_cast<std::size_t>(format)];
    }

  private:
    std::array<bool, 2> m_usesTtl{};                                //!< by format
    std::array<std::array<uint16_t, CSIG_SIGNALS>, 2> m_locators{}; //!< by format and signal
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PORT_PLACE_H
