// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ECN_BEFORE_PAUSE_H
#define AIDC_ECN_BEFORE_PAUSE_H

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A filling queue in a switch that is empty otherwise, and its marking threshold.
struct FillingQueue
{
    /// Shared memory, which is not set aside for any queue or port, in bytes.
    uint64_t shared{0};
    /// Factor of the egress queue's dynamic threshold, Buf_Thrd.
    double alpha{1};
    /// Bytes set aside for the egress queue.
    uint64_t reserved{0};
    /// Static cap of the egress queue in bytes.
    uint64_t cap{std::numeric_limits<uint64_t>::max()};
    /// Computes ECN_Thrd from Buf_Thrd, both in bytes; it grows by no more than Buf_Thrd does.
    std::function<uint64_t(uint64_t)> ecnThrd;
    /// The attribute that fixes ECN_Thrd regardless of Buf_Thrd; empty if it follows Buf_Thrd.
    std::string fixedBy;
    /// Factor of the threshold XOFF of an ingress port's account.
    double xoffAlpha{1};
    /// Bytes set aside for whoever is charged for the packets: each ingress port's account, below
    /// XOFF; or, in a lossy class, the queue itself, as if it were the only port.
    uint64_t ingressReserved{0};
};

/// The marking of a queue as it has been configured, and the switch that it is in.
struct ConfiguredMarking
{
    FillingQueue queue;      //!< the queue; charged itself, unless there are pausedPorts
    uint64_t bufferSize{0};  //!< all memory of the switch in bytes
    bool isCoupled{false};   //!< whether ECN_Thrd follows from Offset and ECN_Floor
    uint64_t offset{0};      //!< Offset in bytes
    uint64_t floor{0};       //!< ECN_Floor in bytes
    uint32_t pausedPorts{0}; //!< ingress ports that can be paused; 0 in a lossy class
};

/// Get the length of a queue at its first mark.
///
/// The switch is empty but for this queue, which is filled evenly by some ingress ports. Their
/// accounts are charged for it, so what is free is the shared memory less what they draw from it.
/// Buf_Thrd falls as the queue grows, and ECN_Thrd with it, so that they meet at one length.
/// @param queue the queue
/// @param ports the ingress ports, > 0
/// @return the least length that is at or above ECN_Thrd, in bytes; the largest number if there is
///         none
uint64_t ComputeFirstMark(const FillingQueue& queue, uint32_t ports);

/// Get the length of a lossless queue, filled as ComputeFirstMark() says, when its ingress ports (>
/// 0) are paused. @return the least length at which an account of its share is at XOFF, in bytes
uint64_t ComputeFirstPause(const FillingQueue& queue, uint32_t ports);

/// Count the ingress ports with which a lossless queue pauses before it marks. ports: the most that
/// can fill it. @return the greatest number of ports, up to that many, that are paused before a
/// packet is marked; 0 if marking always comes first
uint32_t CountPortsPausedFirst(const FillingQueue& queue, uint32_t ports);

/// Check ECN_Thrd against XOFF: whether pauses come before any mark. ports: the most ingress ports
/// that can fill the queue. @return the warning, empty if there is none
std::string FindEcnBeforePauseError(const FillingQueue& queue, uint32_t ports);

/// Find doubtful settings of a queue's marking: sections 1, 7 and 9 of the draft.
///
/// A fixed threshold above all memory means that marks are switched off.
/// @param marking the queue's marking
/// @return the warnings
std::vector<std::string> FindEcnWarnings(const ConfiguredMarking& marking);

} // namespace ns3::aidc

#endif // AIDC_ECN_BEFORE_PAUSE_H
