/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SILICON_TESTER_H
#define AIDC_SILICON_TESTER_H

#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/nstime.h"
#include "ns3/switch-port-queue-disc.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::aidc
{

/// Frames of one kind that a tester's port sends.
struct TesterStream
{
    uint32_t destination{0}; //!< IPv4 address
    uint32_t priority{0};    //!< traffic class, which DSCP says
    uint32_t bytes{46};      //!< of a packet, with its IPv4 header: 46 make a frame of 64
    uint64_t frames{0};      //!< how many are left to send
    uint32_t message{0};     //!< frames of a message, 0 for none
    uint32_t more{0};        //!< bytes that the last frame of a message has in addition
    uint8_t ecn{2};          //!< codepoint
};

/// What a tester's port has received of a priority.
struct TesterCount
{
    uint64_t frames{0};           //!< frames
    uint64_t bytes{0};            //!< their bytes, with header and check sequence
    uint64_t marked{0};           //!< frames with CE
    double latency{0};            //!< sum of the times from port to port, in seconds
    Time latencyMax;              //!< the longest
    Time latencyMin{Time::Max()}; //!< the shortest
};

/**
 * @brief A port of a traffic tester: sends streams of frames at its rate, one frame of each in
 * turn.
 *
 * It obeys pauses if its device has a PriorityFlowControl.
 */
class TesterPort : public EthernetFrameSource, public PausableClasses
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Become the source of a port. @param device the port @param address its IPv4 address
    void Install(const Ptr<EthernetNetDevice>& device, uint32_t address);

    /// Send a stream, too. @return its number
    uint32_t Send(const TesterStream& stream);

    /// Change how many frames a stream has left to send.
    void SetLeft(uint32_t stream, uint64_t frames);

    /// @return frames of a stream that are left to send
    uint64_t GetLeft(uint32_t stream) const
    {
        return m_streams[stream].frames;
    }

    /// Send at a share of the rate. @param load the share, above 0, up to 1
    void SetLoad(double load)
    {
        m_load = load;
    }

    // From EthernetFrameSource
    bool TakeFrame(EthernetNetDevice& device, EthernetFrame& frame, FrameContext& context) override;
    bool HasFrame() const override;

    // From PausableClasses
    uint32_t GetNClasses() const override;
    void SetPaused(uint32_t index, bool paused) override;
    void SetDiscarding(uint32_t index, bool discarding) override;
    bool IsWaiting(uint32_t index) const override;
    uint64_t GetSent(uint32_t index) const override;

  private:
    /// @return the next stream that may send, in turn; null if there is none
    TesterStream* Choose();

    Ptr<EthernetNetDevice> m_device;     //!< the port
    uint32_t m_address{0};               //!< its address
    std::vector<TesterStream> m_streams; //!< the streams
    std::size_t m_turn{0};               //!< whose turn it is
    uint32_t m_paused{0};                //!< the priorities that are paused, a bit each
    double m_load{1};                    //!< share of the rate
    Time m_next;                         //!< when the next frame may be sent
    std::array<uint64_t, 8> m_sent{};    //!< frames by priority
};

/// Counts what a tester's port receives.
class TesterSink : public EthernetFrameHandler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Called for a frame that has arrived: its priority, and whether it is marked.
    using Listener = std::function<void(uint32_t priority, bool isMarked)>;

    /// Begin to count. @param listener is told of each frame; may be empty
    void Start(Listener listener = {});

    /// @return what was received of a priority since Start()
    const TesterCount& GetCount(uint32_t priority) const
    {
        return m_counts[priority];
    }

    // From EthernetFrameHandler
    bool Handle(EthernetNetDevice& device,
                EthernetFrame& frame,
                const FrameContext& context) override;

  private:
    std::array<TesterCount, 8> m_counts; //!< by priority
    Listener m_listener;                 //!< is told of each frame
};

} // namespace ns3::aidc

#endif // AIDC_SILICON_TESTER_H
