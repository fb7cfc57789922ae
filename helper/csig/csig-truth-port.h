/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_TRUTH_PORT_H
#define AIDC_CSIG_TRUTH_PORT_H

#include "ns3/csig-signal.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The true state of a switch's port: writes its values into the CsigTruthTag of each packet that
/// the port sends, and keeps them by bins of time (CsigTruthMonitor).
class CsigTruthPort
{
  public:
    /// Identifies a port.
    struct Identity
    {
        uint16_t number;                 //!< its number
        uint64_t capacity;               //!< its speed in bit/s
        std::optional<uint16_t> locator; //!< its LM, if it writes one into tags
    };

    /// Watch a port. identity: identifies it; window: the time over which available bandwidth is
    /// measured, ns; bin: the width of a bin, ns.
    CsigTruthPort(Ptr<EthernetNetDevice> device,
                  const Identity& identity,
                  int64_t window,
                  int64_t bin);
    CsigTruthPort(const CsigTruthPort&) = delete;
    CsigTruthPort& operator=(const CsigTruthPort&) = delete;

    /// @return the identity of the port
    const Identity& GetIdentity() const
    {
        return m_identity;
    }

    /// @return the number of bins up to the last one with a frame
    std::size_t GetNBins() const;

    /// Get the truth by bin. signal: min(ABW), min(ABW/C) or max(PD). @return by bin, the value in
    /// the signal's unit
    std::vector<double> GetValues(CsigSignal signal, std::size_t nBins) const;

  private:
    /// A frame on the wire.
    struct Frame
    {
        int64_t end;    //!< when its last bit is sent, ns
        int64_t length; //!< how long it takes, ns
    };

    /// Note that a frame has arrived.
    void NoteArrival(Ptr<const Packet> packet, uint32_t nBytes);

    /// Note that the transmission of a frame of nBytes bytes begins.
    void NoteTransmission(Ptr<const Packet> packet, uint32_t nBytes);

    /// Get the unused share of the port in the window that ends now. @return the share of its
    /// capacity, from 0 to 1
    double GetFreeShare(int64_t now);

    Identity m_identity;                               //!< identifies it
    int64_t m_window;                                  //!< time of bandwidth averages, ns
    int64_t m_bin;                                     //!< the width of a bin, ns
    std::deque<Frame> m_frames;                        //!< those that end within the window
    int64_t m_busy{0};                                 //!< the sum of their lengths, ns
    std::vector<double> m_bits;                        //!< by bin, bits sent
    std::vector<std::pair<double, uint32_t>> m_delays; //!< by bin, sum in ns and number
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TRUTH_PORT_H
