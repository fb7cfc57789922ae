// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ECN_THRESHOLD_H
#define AIDC_ECN_THRESHOLD_H

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// The operational regions of the coupled ECN threshold (the draft's section 5.2).
///
/// "The draft" is "Dynamic ECN Threshold" (Yang et al., March 2026), which couples the ECN marking
/// threshold of a queue to its dynamic buffer threshold.
enum class EcnRegion : uint8_t
{
    A, //!< sufficient buffer: ECN_Thrd = Buf_Thrd - Offset
    B, //!< constrained buffer: ECN_Thrd = ECN_Floor
    C, //!< critical buffer: ECN_Thrd = Buf_Thrd
};

/// @return a region's letter
constexpr char
ToChar(EcnRegion region)
{
    return static_cast<char>('A' + static_cast<int>(region));
}

/// An ECN threshold and the region that it was computed in.
struct EcnThreshold
{
    uint64_t bytes;   //!< ECN_Thrd
    EcnRegion region; //!< the region
};

/// Compute ECN_Thrd: the reference algorithm of the draft's section 5.2.
///
/// Buf_Thrd - Offset is compared without being formed where it would be negative. Both invariants
/// of section 5.3 hold for every input: the result never exceeds Buf_Thrd, and is below ECN_Floor
/// only where Buf_Thrd is.
///
/// A bias to the low side, for a Buf_Thrd that may be stale (section 6.1), works like additional
/// Offset, so that it breaks neither invariant: it never takes ECN_Thrd below ECN_Floor where
/// Buf_Thrd is not. Below ECN_Floor, where nothing else keeps ECN_Thrd under a Buf_Thrd that has
/// shrunk meanwhile, it is taken off Buf_Thrd.
/// @param bufThrd the queue's buffer threshold in bytes
/// @param offset the headroom to keep below it in bytes
/// @param floor ECN_Floor in bytes
/// @param bias the bias in bytes
/// @return the threshold and its region
constexpr EcnThreshold
ComputeEcnThreshold(uint64_t bufThrd, uint64_t offset, uint64_t floor, uint64_t bias = 0)
{
    // Subtracted one after the other, as their sum might overflow.
    const uint64_t belowOffset = bufThrd > offset ? bufThrd - offset : 0;
    const uint64_t tracking = belowOffset > bias ? belowOffset - bias : 0;
    if (tracking > floor)
    {
        return {tracking, EcnRegion::A};
    }
    if (bufThrd > floor)
    {
        return {floor, EcnRegion::B};
    }
    if (bufThrd == floor)
    {
        return {floor, EcnRegion::C};
    }
    return {bufThrd > bias ? bufThrd - bias : 0, EcnRegion::C};
}

/// Which of the draft's architectural invariants does not hold (section 5.3).
enum class EcnViolation : uint8_t
{
    NONE,           //!< both hold
    ABOVE_BUF_THRD, //!< the first does not: ECN_Thrd exceeds Buf_Thrd
    BELOW_FLOOR,    //!< the second does not: ECN_Thrd is below ECN_Floor, but Buf_Thrd is not
};

/// Validate the invariants of section 5.3. ecnThrd: ECN_Thrd in bytes, which may come from a
/// Buf_Thrd that is no longer true; bufThrd: Buf_Thrd as it is, in bytes; floor: ECN_Floor in
/// bytes.
/// @return the invariant that does not hold; they cannot both be broken
constexpr EcnViolation
FindEcnViolation(uint64_t ecnThrd, uint64_t bufThrd, uint64_t floor)
{
    if (ecnThrd > bufThrd)
    {
        return EcnViolation::ABOVE_BUF_THRD;
    }
    return ecnThrd < floor && bufThrd >= floor ? EcnViolation::BELOW_FLOOR : EcnViolation::NONE;
}

/// The levels from which ECN_Thrd is computed, in addition to Buf_Thrd.
struct EcnLevels
{
    /// The Offset in bytes (section 6.2). It "slightly exceeds" rate times RTT: it is that product,
    /// rounded up, and one packet, because what is in flight consists of whole packets.
    uint64_t offset{0};
    /// ECN_Floor in bytes (section 6.3), from 30,000 to 100,000, or the MTU where that is more.
    /// DCTCP keeps a link busy with a threshold of a seventh of the bandwidth-delay product (RFC
    /// 8257, section 3.1); the draft names 30 KB to 100 KB as typical, and one MTU as the minimum.
    uint64_t floor{0};
};

/// Derive Offset and ECN_Floor from a link of bitRate bit/s, the round-trip time of the congestion
/// control loop in ns, and the largest packet in bytes.
EcnLevels DeriveEcnLevels(uint64_t bitRate, uint64_t rttNs, uint32_t mtu);

/// Check an ECN_Floor: it MUST NOT be below one MTU of the link (section 6.3); both in bytes.
/// @return the error, empty if there is none
std::string FindEcnFloorError(uint64_t floor, uint32_t mtu);

/// Get the typical buffer allocation of section 9, taken as what the dynamic threshold leaves
/// a single greedy queue: alpha * B / (1 + alpha) and its reserved bytes, within its cap.
/// @param poolSize the memory in bytes, none of it set aside for other queues
/// @param alpha the queue's alpha
/// @param reserved the queue's reserved bytes
/// @param cap the queue's static cap in bytes
/// @return bytes
uint64_t ComputeTypicalAllocation(uint64_t poolSize, double alpha, uint64_t reserved, uint64_t cap);

/// Check an Offset: section 9 asks to warn if it exceeds typical buffer allocations. firstMark: the
/// length of a single busy queue at its first mark. All are in bytes.
/// @return the warning, empty if there is none
std::string FindEcnOffsetError(uint64_t offset, uint64_t typical, uint64_t firstMark);

/// Check an ECN_Floor, the other parameter of section 9, against the buffer.
///
/// Where a single busy queue cannot grow beyond ECN_Floor, it is full while Buf_Thrd is at or below
/// ECN_Floor. This is region C, in which no headroom remains: packets are marked "exactly at the
/// tail drop boundary" (section 5.2), or dropped before one is marked.
/// @param floor ECN_Floor in bytes
/// @param typical the typical allocation in bytes
/// @return the warning, empty if there is none
std::string FindEcnFloorWithinError(uint64_t floor, uint64_t typical);

/// Get the marking probability of a RED band on the queue's size.
///
/// 0 up to kmin, then rising linearly to pmax at kmax, 1 above it: the profile that DCQCN
/// configures (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015,
/// figure 5).
/// @param occupancy the queue's size in bytes
/// @param kmin the lower end of the band in bytes
/// @param kmax the upper end of the band in bytes, >= kmin
/// @param pmax the probability at the upper end, from 0 to 1
/// @return the probability
double ComputeRedProbability(uint64_t occupancy, uint64_t kmin, uint64_t kmax, double pmax);

} // namespace ns3::aidc

#endif // AIDC_ECN_THRESHOLD_H
