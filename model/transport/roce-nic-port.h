// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ROCE_NIC_PORT_H
#define AIDC_ROCE_NIC_PORT_H

#include "../core/ethernet/mac-control.h"
#include "../core/never.h"
#include "../core/transport/roce-turns.h"
#include "../core/transport/vector-fifo.h"
#include "../simulator/event-clock.h"
#include "roce-header.h"
#include "roce-nic-record.h"
#include "roce-queue-pair.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/roce-packet.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

class RoceReceiver;

/// A port of a RoceNic: makes the next frame when the port is idle, and takes the frames that
/// arrive (RoceReceiver).
///
/// Answers and congestion notification packets go first, from the highest class on. Then the queue
/// pairs take turns (RoceTurns).
class RoceNicPort : public EthernetFrameSource, public PausableClasses, public RoceQueuePair::Port
{
  public:
    /// The number of traffic classes.
    static constexpr uint32_t N_CLASSES = RoceTurns::N_CLASSES;

    /// @return the TypeId
    static TypeId GetTypeId();

    RoceNicPort();
    ~RoceNicPort() override;

    /// Begin to serve a port.
    /// @param device the port
    /// @param address its IPv4 address, host byte order
    /// @param pairs takes the packets of the adapter's ports, and outlives this
    /// @param settings the attributes of the adapter, which outlive this
    /// @param record the adapter's statistics and trace sources, which outlive this
    void Install(Ptr<EthernetNetDevice> device,
                 uint32_t address,
                 RoceQueuePairTable& pairs,
                 const RoceNicSettings& settings,
                 RoceNicRecord& record);

    /// @return the port
    Ptr<EthernetNetDevice> GetDevice() const
    {
        return m_device;
    }

    /// Refuse a device whose MTU does not hold the longest packets. pathMtu: the payload of a full
    /// packet in bytes; hasTelemetry: whether packets have in-band telemetry.
    void CheckMtu(uint32_t pathMtu, bool hasTelemetry) const;

    /// @return the IPv4 address, host byte order
    uint32_t GetAddress() const
    {
        return m_address;
    }

    /// Forget all queue pairs.
    void Clear();

    // From RoceQueuePair::Port
    void Activate(RoceQueuePair& pair) override;
    void SendControl(const RoceQueuePair& pair, const RocePacket& packet) override;

    // From EthernetFrameSource
    bool TakeFrame(EthernetNetDevice& device, EthernetFrame& frame, FrameContext& context) override;

    bool HasFrame() const override
    {
        return ((m_controlClasses | m_turns.GetReady()) & ~m_turns.GetPaused()) != 0;
    }

    // From PausableClasses
    uint32_t GetNClasses() const override
    {
        return N_CLASSES;
    }

    void SetPaused(uint32_t index, bool paused) override;

    void SetDiscarding(uint32_t, bool) override
    {
        // Nothing waits here that could be dropped: packets are made when they are sent.
    }

    bool IsWaiting(uint32_t index) const override
    {
        return (((m_controlClasses | m_turns.GetReady()) >> index) & 1U) != 0;
    }

    uint64_t GetSent(uint32_t index) const override
    {
        return m_classes[index].sent;
    }

  protected:
    void DoDispose() override;

  private:
    /// An answer or a notification that waits to be sent.
    struct Control
    {
        RocePacket packet;                  //!< its headers
        const RoceQueuePair* pair{nullptr}; //!< the queue pair that sends it
    };

    /// A traffic class.
    struct Class
    {
        VectorFifo<Control> control; //!< answers and notifications
        uint64_t sent{0};            //!< packets that were sent
    };

    /// Let a queue pair that does not wait yet do so. @return whether for its turn, not its time
    bool Enqueue(RoceQueuePair& pair, Time now);

    /// Have Wake() called when the time of the next queue pair has come.
    void ArmWake();

    /// The time of a queue pair has come.
    void Wake();

    /// Take the next answer or notification. @return false if there is none that may be sent
    bool TakeControl(EthernetFrame& frame);

    /// Take the next packet of data. @return false if there is none that may be sent
    bool TakeData(EthernetFrame& frame, FrameContext& context);

    void MakeFrame(const RoceQueuePair& pair,
                   const RocePacket& packet,
                   uint8_t dscp,
                   EthernetFrame& frame);

    Ptr<EthernetNetDevice> m_device;                 //!< the port
    Ptr<RoceReceiver> m_receiver;                    //!< takes the frames that arrive
    const RoceNicSettings* m_settings{nullptr};      //!< the attributes of the adapter
    RoceNicRecord* m_record{nullptr};                //!< the adapter's statistics and trace sources
    uint32_t m_address{0};                           //!< the IPv4 address
    uint32_t m_node{0};                              //!< the id of the node
    uint32_t m_controlClasses{0};                    //!< classes with answers, a bit each
    std::array<Class, N_CLASSES> m_classes;          //!< the classes
    RoceTurns m_turns;                               //!< which queue pair sends next
    RecurringEvent<&RoceNicPort::Wake> m_wake{this}; //!< calls Wake()
    double m_wakeTime{NEVER_DOUBLE};                 //!< when m_wake is due, ns
    WrittenHeader<RoceHeader> m_header;              //!< the headers of the last packet
    RoceTrailer m_trailer;                           //!< the trailer of the last packet
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_PORT_H
