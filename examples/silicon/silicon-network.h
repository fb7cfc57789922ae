// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SILICON_NETWORK_H
#define AIDC_SILICON_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/experiment-parameters.h"
#include "ns3/fabric-helper.h"
#include "ns3/ingress-buffer.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Frames of one kind that a tester's port sends.
struct TesterStream
{
    uint32_t priority{0};    //!< traffic class, which DSCP says
    uint32_t bytes{46};      //!< of a packet, with its IPv4 header: 46 make a frame of 64
    uint64_t frames{0};      //!< how many are left to send
    uint8_t ecn{2};          //!< codepoint
    uint32_t message{0};     //!< frames of a message, 0 for none
    uint32_t more{0};        //!< bytes that the last frame of a message has in addition
    uint32_t destination{0}; //!< IPv4 address
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

/// A port of a traffic tester: sends streams of frames at its rate, one frame of each in
/// turn.
///
/// It obeys pauses if its device has a PriorityFlowControl.
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

/// Is told of a packet that a queue or a port drops, and why.
using DropListener = Callback<void, Ptr<const QueueDiscItem>, const char*>;

/// What a tester and a switch under test are made of.
struct SiliconSetup
{
    std::string chip;                     //!< of the switch; empty for none
    uint32_t ports{2};                    //!< ports, each with a port of the tester
    DataRate rate{"100Gbps"};             //!< of the links
    Time delay{NanoSeconds(25)};          //!< of the links: 5 m
    std::vector<uint32_t> lossless{3, 4}; //!< lossless classes
    std::vector<uint32_t> obedient;       //!< ports of the tester that obey pauses
    uint32_t headroom{0};                 //!< of an account in bytes, 0 for the chip's
    /// Says more about the switch; may be empty.
    std::function<void(SharedBufferSwitchHelper&)> configure{};
};

/// A switch under test: each of its ports has a port of a traffic tester, which sends frames,
/// blocks what it gets by PFC, and counts.
class SiliconNetwork
{
  public:
    /// @param options of the experiment @param setup what it is made of
    SiliconNetwork(const ExperimentOptions& options, const SiliconSetup& setup);

    /// Ends the simulation.
    ~SiliconNetwork();

    SiliconNetwork(const SiliconNetwork&) = delete;
    SiliconNetwork& operator=(const SiliconNetwork&) = delete;

    /// @return the tester's port at a port of the switch
    TesterPort& GetTester(uint32_t port) const
    {
        return *m_testers[port];
    }

    /// @return what counts the frames that a port of the switch sends
    TesterSink& GetSink(uint32_t port) const
    {
        return *m_sinks[port];
    }

    /// Have a port of the tester send a stream to another one. @return the number of the stream
    uint32_t Send(uint32_t from, uint32_t to, TesterStream stream) const;

    /// @return the device of a port of the switch
    Ptr<NetDevice> GetDevice(uint32_t port) const
    {
        return m_own[port];
    }

    /// @return the queues of a port of the switch
    SwitchPortQueueDisc& GetPort(uint32_t port) const
    {
        return *m_ports[port];
    }

    /// @return the queue of a class of a port of the switch
    MarkingQueue& GetQueue(uint32_t port, uint32_t priority) const
    {
        return *GetPort(port).GetClass(priority)->GetQueue();
    }

    /// @return the account of a port of the switch and a priority
    Ptr<IngressBuffer> GetAccount(uint32_t port, uint32_t priority) const;

    /// Have the tester pause a port of the switch, or let it go on.
    void SetBlocked(uint32_t port, uint32_t priority, bool isBlocked);

    /// Get the memory that a packet takes. @param bytes its bytes @return bytes
    uint64_t GetCharge(uint32_t bytes) const;

    /// Simulate for a time.
    static void Run(Time time);

  private:
    FabricHelper m_network;                           //!< the switch and the tester
    std::vector<Ptr<TesterPort>> m_testers;           //!< the tester's ports
    std::vector<Ptr<TesterSink>> m_sinks;             //!< what they count
    std::vector<Ptr<EthernetNetDevice>> m_devices;    //!< their devices
    std::vector<Ptr<PriorityFlowControl>> m_controls; //!< their flow control
    std::vector<Ptr<SwitchPortQueueDisc>> m_ports;    //!< the switch's ports
    std::vector<Ptr<NetDevice>> m_own;                //!< their devices
    Ptr<SharedBuffer> m_buffer;                       //!< its memory
};

} // namespace ns3::aidc

#endif // AIDC_SILICON_NETWORK_H
