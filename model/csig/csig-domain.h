// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_DOMAIN_H
#define AIDC_CSIG_DOMAIN_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-locator.h"
#include "../core/csig/csig-quantizer.h"

#include "ns3/csig-signal.h"
#include "ns3/object.h"

#include <array>
#include <optional>

namespace ns3::aidc
{

/// The settings that all devices and hosts of a CSIG domain have in common.
///
/// Sections 5.3.3, 5.4.2 and 5.5.1 of draft-ravi-ippm-csig-01 (February 2024): all devices along a
/// path MUST have the same buckets and quanta, and the same layout of the locator metadata. So all
/// of them share one object. Each object that joins it calls CheckSettings(). Attributes do not
/// change after that.
///
/// Each attribute refuses values that are wrong on their own, and logs the reason. The locator's
/// layout is the same for all signals of a format, unless a signal has its own.
class CsigDomain : public Object
{
  public:
    /// @return the type ID
    static TypeId GetTypeId();

    /// Check that no two attributes contradict each other: TPIDs or type codes that are equal.
    /// @throws std::runtime_error if two do
    void CheckSettings() const;

    /// Read the fields of a tag.
    /// @param fields the fields, any
    /// @return signal, value and unit, and the locator of the bottleneck; none if this domain has
    ///         no such signal or value, see ReadCsig()
    std::optional<CsigReading> Read(const CsigFields& fields) const;

    /// @return the TPIDs
    const CsigTpids& GetTpids() const
    {
        return m_tpids;
    }

    /// @return the type codes, and the signals that are on
    const CsigSignalSettings& GetSignals() const
    {
        return m_signals;
    }

    /// @return the buckets and quanta
    const CsigQuantizer& GetQuantizer() const
    {
        return m_quantizer;
    }

    /// @param format the format of the tag
    /// @return the layout of the locator metadata
    const CsigLocatorLayout& GetLayout(CsigFormat format) const;

    /// @param format the format of the tag
    /// @param signal the signal
    /// @return the layout of its locator metadata (section 5.5.1): the signal's own or, if it has
    ///         none, the format's
    const CsigLocatorLayout& GetLayout(CsigFormat format, CsigSignal signal) const;

    /// @return the speeds that a locator can name
    const CsigSpeeds& GetSpeeds() const
    {
        return m_speeds;
    }

  private:
    /// @param tid the TypeId, which gets the attributes of each signal and format
    static void AddSignalAttributes(TypeId& tid);

    CsigTpids m_tpids;            //!< the TPIDs
    CsigSignalSettings m_signals; //!< type codes, and the signals that are on
    CsigQuantizer m_quantizer;    //!< buckets and quanta
    std::array<CsigLocatorLayout, 2> m_layouts{
        CsigLocatorLayout(CsigFormat::COMPACT),
        CsigLocatorLayout(CsigFormat::EXPANDED)}; //!< by format, its locator
    /// By format and signal, locators of their own.
    std::array<std::array<std::optional<CsigLocatorLayout>, CSIG_SIGNALS>, 2> m_own;
    CsigSpeeds m_speeds; //!< speeds that a locator can name
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_DOMAIN_H
