// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PFC_HEADROOM_H
#define AIDC_PFC_HEADROOM_H

#include <cstdint>

namespace ns3::aidc
{

/// The quantities that determine the headroom of a lossless priority.
///
/// Frame sizes are as on the wire, with preamble and interframe gap: see WIRE_OVERHEAD.
struct HeadroomSettings
{
    /// Octets of preamble, start delimiter and interframe gap that surround each frame.
    static constexpr uint32_t WIRE_OVERHEAD = 20;
    /// Octets of a PFC frame with its surroundings: 64 and 20.
    static constexpr uint32_t PFC_FRAME = 64 + WIRE_OVERHEAD;

    uint64_t bitsPerSecond{0};      //!< rate of the link
    uint64_t ticksPerSecond{0};     //!< unit of the times: 10^9 for nanoseconds
    uint64_t delay{0};              //!< one-way delay of the cable, in ticks
    uint64_t interfaceDelay{0};     //!< delay of MAC and PHY at one end, one way, in ticks
    uint64_t responseTime{0};       //!< from a PFC frame's reception until the peer obeys, in ticks
    uint32_t losslessPriorities{1}; //!< lossless priorities, each of which may have a frame due
    uint64_t ownFrame{0};           //!< largest frame of any priority that we send, in octets
    uint64_t peerFrame{0};          //!< largest frame of the lossless priority, in octets
    uint32_t cellSize{0};           //!< octets of a cell of memory (BufferCells), 0 for none
};

/// The terms of a headroom, in octets.
///
/// In memory of cells, what arrives before the peer obeys may be the smallest frames, each of which
/// takes a cell: every term but the first counts 84 octets on the wire as a cell. This is what
/// configurations of chips have. The peer's last frame is then counted with more cells than it can
/// take, most often so many that the frame that crosses the threshold has its place, too.
///
/// The terms from waiting to peer are from IEEE 802.1Qbb, Annex O (now IEEE 802.1Q, Annex N), which
/// has one PFC frame: bit times between the need for a pause and its effect. During this time the
/// peer may send at the rate of the link.
struct HeadroomTerms
{
    /// The frame that crosses the threshold, which may find no room below it; in cells, what of it
    /// the last term does not cover.
    uint64_t crossing{0};
    /// The frame that we had begun to send when the PFC frame became due.
    uint64_t waiting{0};
    /// The PFC frame, after the PFC frames of the other lossless priorities.
    uint64_t pfcFrames{0};
    /// The delay of the cable in both directions: of the PFC frame, and of the last octet that the
    /// peer sends before the frame arrives.
    uint64_t cable{0};
    /// The delay of MAC and PHY of both ends, in both directions.
    uint64_t interfaces{0};
    /// The response time of the peer.
    uint64_t response{0};
    /// The frame that the peer had begun to send when it would obey.
    uint64_t peer{0};

    /// Get the headroom.
    /// @return the sum of the terms, in octets; the largest number if it would be more
    uint64_t GetSum() const;
};

/// Compute the headroom that a lossless priority of a port needs.
///
/// Each term is rounded up to octets. The sum is an upper bound: the buffer counts no surroundings
/// of frames, and the worst cases must coincide for all of it to be used.
/// @param settings the settings; bitsPerSecond and ticksPerSecond > 0
/// @return the terms
HeadroomTerms ComputeHeadroom(const HeadroomSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_PFC_HEADROOM_H
