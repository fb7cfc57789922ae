/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_SIGNALS_H
#define AIDC_CSIG_PATH_SIGNALS_H

#include "csig-domain.h"

#include "ns3/csig-fields.h"
#include "ns3/csig-reading.h"
#include "ns3/csig-signal.h"
#include "ns3/ethernet-fields.h"
#include "ns3/path-signals.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief CSIG for a host's network adapter: tags what its transport sends, and reflects what
 *        arrives (sections 4.1.3 and 4.2.2 of draft-ravi-ippm-csig-01).
 *
 * An adapter has one of its own. The host's ports have a CsigPort of the role Host, which tells
 * tags by the TPIDs of the same domain.
 *
 * Which packets get which signal is by a sequence that looks random and is the same in each run.
 * Strict turns would be no turns for connections that take turns themselves: with two signals and
 * two connections, each would always ask for the same one.
 */
class CsigPathSignals : public PathSignals
{
  public:
    /// The formats of a tag.
    enum Format
    {
        COMPACT, //!< 2 bytes of data fields
        EXPANDED //!< 6 bytes of data fields
    };

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    CsigPathSignals();
    ~CsigPathSignals() override;

    /**
     * @brief Set the signals to ask for.
     * @param names their names (GetCsigName), separated by commas
     * @return whether each is a signal of the domain; if not, nothing is changed
     */
    bool SetSignals(const std::string& names);

    /**
     * @brief Get the signals that are asked for.
     * @return their names, separated by commas
     */
    std::string GetSignals() const;

    /**
     * @brief Set what the whole network has in common.
     * @param domain its settings, which must not change any more, null for a new one; an error in
     *        them, or a signal that is asked for and that it has off, ends the program
     */
    void SetDomain(Ptr<CsigDomain> domain);

    /**
     * @brief Get what the whole network has in common.
     * @return its settings
     */
    Ptr<CsigDomain> GetDomain() const;

    // From PathSignals
    void Tag(FrameContext& context) override;
    std::size_t Reflect(const FrameContext& context, uint8_t* bytes, std::size_t size) override;
    std::optional<CsigReading> Read(const uint8_t* bytes, std::size_t size) override;

  protected:
    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    /// A tag that asks for a signal.
    struct Request
    {
        std::array<uint8_t, EthernetFields::MAX_TAG> tag{}; //!< with its TPID
        uint8_t size{0};                                    //!< its bytes
    };

    /**
     * @brief Set the format.
     * @param format the format
     * @return whether all signals can be asked for in it; if not, nothing is changed
     */
    bool SetFormat(Format format);

    /**
     * @brief Get the format.
     * @return the format
     */
    Format GetFormat() const;

    /**
     * @brief Check that the domain has the signals to ask for on, with types that fit the format.
     * @param domain the domain
     * @param signals the signals
     * @throws std::invalid_argument if it has not
     */
    void CheckSignals(const CsigDomain& domain, const std::vector<CsigSignal>& signals) const;

    /// Derive from the attributes what the next packet goes by.
    void Derive();

    bool m_isConstructed{false};                        //!< whether all attributes are set
    Ptr<CsigDomain> m_domain;                           //!< attribute Domain
    Format m_format{COMPACT};                           //!< attribute Format
    std::vector<CsigSignal> m_signals{CsigSignal::ABW}; //!< attribute Signals
    uint32_t m_period{1};                               //!< attribute Period
    std::vector<Request> m_requests;                    //!< a tag for each signal
    uint64_t m_nPackets{0};                             //!< packets that were sent
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_SIGNALS_H
