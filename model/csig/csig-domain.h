/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_DOMAIN_H
#define AIDC_CSIG_DOMAIN_H

#include "ns3/csig-fields.h"
#include "ns3/csig-locator.h"
#include "ns3/csig-quantizer.h"
#include "ns3/csig-reading.h"
#include "ns3/csig-signal.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What all devices and hosts of a CSIG domain have in common.
 *
 * Sections 5.3.3, 5.4.2 and 5.5.1 of draft-ravi-ippm-csig-01 (February 2024): all devices along a
 * path MUST have the same buckets and quanta, and the same layout of the locator metadata. So there
 * is one object for all of them. An object that takes it calls CheckConfig(); attributes are not
 * changed after that.
 *
 * Each attribute refuses what is wrong by itself, and logs why. The locator's layout is the same
 * for all signals of a format.
 */
class CsigDomain : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    CsigDomain();

    /// End the program if two attributes contradict each other: TPIDs or type codes that are equal.
    void CheckConfig() const;

    /**
     * @brief Read the fields of a tag.
     * @param fields the fields, any
     * @return signal, value and unit, and what is said of the bottleneck; none if the fields are of
     *         no signal or value that this domain has, see ReadCsig()
     */
    std::optional<CsigReading> Read(const CsigFields& fields) const;

    /**
     * @brief Get the TPIDs.
     * @return the TPIDs
     */
    const CsigTpids& GetTpids() const;

    /**
     * @brief Get the type codes, and which signals there are.
     * @return the signals
     */
    const CsigSignalConfig& GetSignals() const
    {
        return m_signals;
    }

    /**
     * @brief Get the buckets and quanta.
     * @return the quantizer
     */
    const CsigQuantizer& GetQuantizer() const
    {
        return m_quantizer;
    }

    /**
     * @brief Get the layout of the locator metadata.
     * @param format the format of the tag
     * @return the layout
     */
    const CsigLocatorLayout& GetLayout(CsigFormat format) const;

    /**
     * @brief Get the layout of a signal's locator metadata (section 5.5.1).
     * @param format the format of the tag
     * @param signal the signal
     * @return the signal's own layout or, if it has none, the format's
     */
    const CsigLocatorLayout& GetLayout(CsigFormat format, CsigSignal signal) const;

    /**
     * @brief Get the speeds that a locator can name.
     * @return the speeds
     */
    const CsigSpeeds& GetSpeeds() const;

  private:
    /**
     * @brief Set the TPID of a format.
     * @tparam F the format
     * @param tpid the TPID
     */
    template <CsigFormat F>
    void SetTpid(uint16_t tpid);

    /**
     * @brief Get the TPID of a format.
     * @tparam F the format
     * @return the TPID
     */
    template <CsigFormat F>
    uint16_t GetTpid() const;

    /**
     * @brief Set whether the queue's depth is a signal.
     * @param isSignal whether it is
     */
    void SetQueueDepth(bool isSignal);

    /**
     * @brief Get whether the queue's depth is a signal.
     * @return whether it is
     */
    bool GetQueueDepth() const;

    /**
     * @brief Set whether a tag can forbid that it is updated.
     * @param isUsed whether it can
     */
    void SetDoNotUpdate(bool isUsed);

    /**
     * @brief Get whether a tag can forbid that it is updated.
     * @return whether it can
     */
    bool GetDoNotUpdate() const;

    /**
     * @brief Set a signal's type code.
     * @tparam S the signal
     * @param type the code
     */
    template <CsigSignal S>
    void SetType(uint8_t type);

    /**
     * @brief Get a signal's type code.
     * @tparam S the signal
     * @return the code
     */
    template <CsigSignal S>
    uint8_t GetType() const;

    /**
     * @brief Set a signal's buckets.
     * @tparam S the signal
     * @param text where each begins
     * @return whether they are buckets
     */
    template <CsigSignal S>
    bool SetBuckets(const std::string& text);

    /**
     * @brief Get a signal's buckets.
     * @tparam S the signal
     * @return where each begins
     */
    template <CsigSignal S>
    std::string GetBuckets() const;

    /**
     * @brief Set a signal's quantum.
     * @tparam S the signal
     * @param quantum the quantum in the signal's unit
     * @return whether it is within its range
     */
    template <CsigSignal S>
    bool SetQuantum(uint64_t quantum);

    /**
     * @brief Get a signal's quantum.
     * @tparam S the signal
     * @return the quantum in the signal's unit
     */
    template <CsigSignal S>
    uint64_t GetQuantum() const;

    /**
     * @brief Set the quantum of a signal that is measured in time.
     * @tparam S the signal
     * @param quantum the quantum
     * @return whether it is within its range
     */
    template <CsigSignal S>
    bool SetTimeQuantum(Time quantum);

    /**
     * @brief Get the quantum of a signal that is measured in time.
     * @tparam S the signal
     * @return the quantum
     */
    template <CsigSignal S>
    Time GetTimeQuantum() const;

    /**
     * @brief Set the quantum of min(ABW).
     * @param quantum the quantum
     * @return whether it is within its range
     */
    bool SetAbwQuantum(DataRate quantum);

    /**
     * @brief Get the quantum of min(ABW).
     * @return the quantum
     */
    DataRate GetAbwQuantum() const;

    /**
     * @brief Set the layout of a format's locator metadata.
     * @tparam F the format
     * @param text attributes and bits
     * @return whether it is a layout
     */
    template <CsigFormat F>
    bool SetLayout(const std::string& text);

    /**
     * @brief Get the layout of a format's locator metadata.
     * @tparam F the format
     * @return attributes and bits
     */
    template <CsigFormat F>
    std::string GetLayoutText() const;

    /**
     * @brief Set the layout of a signal's locator metadata.
     * @tparam F the format
     * @tparam S the signal
     * @param text attributes and bits; empty for the format's layout
     * @return whether they make a layout
     */
    template <CsigFormat F, CsigSignal S>
    bool SetSignalLayout(const std::string& text);

    /**
     * @brief Get the layout of a signal's locator metadata.
     * @tparam F the format
     * @tparam S the signal
     * @return attributes and bits; empty if it has none of its own
     */
    template <CsigFormat F, CsigSignal S>
    std::string GetSignalLayoutText() const;

    /**
     * @brief Set the speeds that a locator can name.
     * @param text the speeds
     * @return whether they are speeds
     */
    bool SetSpeeds(const std::string& text);

    /**
     * @brief Get the speeds that a locator can name.
     * @return the speeds
     */
    std::string GetSpeedsText() const;

    CsigTpids m_tpids;            //!< the TPIDs
    CsigSignalConfig m_signals;   //!< type codes, and which signals there are
    CsigQuantizer m_quantizer;    //!< buckets and quanta
    CsigLocatorLayout m_compact;  //!< locator of the compact format
    CsigLocatorLayout m_expanded; //!< locator of the expanded format
    /// By format and signal, locators of their own.
    std::array<std::array<std::optional<CsigLocatorLayout>, CSIG_SIGNALS>, 2> m_own;
    CsigSpeeds m_speeds; //!< speeds that a locator can name
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_DOMAIN_H
