/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-truth-port.h"

#include "csig-truth-tag.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// What a frame occupies beside its bytes without FCS: FCS, preamble, delimiter, gap.
constexpr uint64_t WIRE_OVERHEAD = 4 + 20;

/// Write the truth on a packet. It is a packet tag, which changes no behavior, and traces are where
/// the packet can be seen.
void
Write(Ptr<const Packet> packet, CsigTruthTag& tag)
{
    ConstCast<Packet>(packet)->ReplacePacketTag(tag);
}

/// Get the bin of a series, which grows as needed.
template <typename T>
T&
GetBin(std::vector<T>& series, int64_t index)
{
    const auto at = static_cast<std::size_t>(index);
    if (at >= series.size())
    {
        series.resize(at + 1);
    }
    return series[at];
}

} // namespace

CsigTruthPort::CsigTruthPort(Ptr<EthernetNetDevice> device,
                             const Identity& identity,
                             int64_t window,
                             int64_t bin)
    : m_identity(identity),
      m_window(window),
      m_bin(bin)
{
    // Not PhyRxEnd and PhyTxBegin, for which the headers of each frame would be written
    device->TraceConnectWithoutContext("FrameEnd", MakeCallback(&CsigTruthPort::NoteArrival, this));
    device->TraceConnectWithoutContext("FrameBegin",
                                       MakeCallback(&CsigTruthPort::NoteTransmission, this));
}

void
CsigTruthPort::NoteArrival(Ptr<const Packet> packet, uint32_t)
{
    CsigTruthTag tag;
    packet->PeekPacketTag(tag);
    tag.arrival = Simulator::Now().GetNanoSeconds();
    Write(packet, tag);
}

double
CsigTruthPort::GetFreeShare(int64_t now)
{
    const int64_t begin = now - m_window;
    while (!m_frames.empty() && m_frames.front().end <= begin)
    {
        m_busy -= m_frames.front().length;
        m_frames.pop_front();
    }
    int64_t busy = m_busy;
    if (!m_frames.empty())
    {
        const auto& first = m_frames.front();
        busy -= std::max<int64_t>(0, begin - (first.end - first.length));
    }
    return std::max(0.0, 1 - static_cast<double>(busy) / static_cast<double>(m_window));
}

void
CsigTruthPort::NoteTransmission(Ptr<const Packet> packet, uint32_t nBytes)
{
    const auto& [number, capacity, locator] = m_identity;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const double share = GetFreeShare(now);
    CsigTruthTag tag;
    if (packet->PeekPacketTag(tag))
    {
        const auto delay = static_cast<double>(now - tag.arrival);
        tag.Update(CsigSignal::ABW, share * static_cast<double>(capacity), number);
        tag.Update(CsigSignal::ABW_RATIO, share * 1e6, number);
        tag.Update(CsigSignal::HOP_DELAY, delay, number);
        Write(packet, tag);
        auto& delays = GetBin(m_delays, now / m_bin);
        delays.first += delay;
        ++delays.second;
    }
    const uint64_t bits = 8 * (nBytes + WIRE_OVERHEAD);
    const auto length = static_cast<int64_t>(bits * 1'000'000'000 / capacity);
    m_frames.push_back({now + length, length});
    m_busy += length;
    GetBin(m_bits, now / m_bin) += static_cast<double>(bits);
}

std::size_t
CsigTruthPort::GetNBins() const
{
    return std::max(m_bits.size(), m_delays.size());
}

std::vector<double>
CsigTruthPort::GetValues(CsigSignal signal, std::size_t nBins) const
{
    const auto capacity = static_cast<double>(m_identity.capacity);
    std::vector<double> values(nBins, 0);
    for (std::size_t bin = 0; bin < nBins; ++bin)
    {
        const double sent = bin < m_bits.size() ? m_bits[bin] : 0;
        const double free = capacity - sent * 1e9 / static_cast<double>(m_bin);
        if (signal == CsigSignal::ABW)
        {
            values[bin] = free;
        }
        else if (signal == CsigSignal::ABW_RATIO)
        {
            values[bin] = 1e6 * free / capacity;
        }
        else if (bin < m_delays.size() && m_delays[bin].second > 0)
        {
            values[bin] = m_delays[bin].first / m_delays[bin].second;
        }
    }
    return values;
}

} // namespace ns3::aidc
