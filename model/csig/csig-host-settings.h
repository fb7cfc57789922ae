/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HOST_SETTINGS_H
#define AIDC_CSIG_HOST_SETTINGS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-reflection.h"
#include "../core/csig/tcp-header-bytes.h"

#include "ns3/csig-signal.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The attributes of a CsigHost.
struct CsigHostSettings
{
    /// The layouts of the TCP option.
    enum OptionLayout
    {
        EXPERIMENTAL, //!< an experimental kind and an identifier
        DRAFT         //!< a kind of its own
    };

    /// Which of several tags of a type is reflected.
    enum Mode
    {
        LATEST, //!< the newest one
        SUMMARY //!< the worst: of a minimum the smallest, of a maximum the largest
    };

    CsigSignalSettings codes;                         //!< the type codes, which the domain has
    std::vector<CsigSignal> signals{CsigSignal::ABW}; //!< the signals to ask for in turn
    CsigFormat format{CsigFormat::COMPACT};           //!< the format of new tags
    Mode mode{LATEST};                                //!< what is reflected
    bool tagAcks{false};                     //!< whether TCP segments without data are tagged
    bool tagUdp{false};                      //!< whether datagrams are tagged
    bool authorizeAll{true};                 //!< whether flows without a rule are tagged
    uint32_t maxOffers{3};                   //!< how many SYNs of a connection carry the option
    uint32_t maxFlows{65536};                //!< how many flows are remembered
    Time flowTimeout;                        //!< the silence after which a flow may be forgotten
    double averageWeight{0.125};             //!< weight of a new signal in the average
    OptionLayout optionLayout{EXPERIMENTAL}; //!< the layout of the option
    uint8_t optionKind{253};                 //!< its kind in the experimental layout
    uint8_t draftOptionKind{252};            //!< its kind in the draft's layout
    uint16_t optionExId{CSIG_DEFAULT_EXID};  //!< its experiment identifier

    /// @return what identifies the TCP option
    TcpExperimentalOption GetOption() const
    {
        const bool hasExId = optionLayout == EXPERIMENTAL;
        return {hasExId ? optionKind : draftOptionKind, optionExId, hasExId};
    }
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_SETTINGS_H
