// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_TRANSMITTER_H
#define AIDC_ETHERNET_TRANSMITTER_H

#include "../core/ethernet/ethernet-fields.h"
#include "../simulator/event-clock.h"
#include "ethernet-frame.h"
#include "ethernet-mac.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/packet.h"

#include <cstdint>
#include <list>

namespace ns3
{
class QueueDisc;
} // namespace ns3

namespace ns3::aidc
{

class EthernetTransmitter;

/// Connects an EthernetNetDevice with its root queue disc.
///
/// The queue disc sees the device's queue as stopped while the port transmits. The state is
/// computed when the queue disc asks for it, so the end of a transmission needs an event only if
/// the queue disc has found the port busy: that event wakes the queue disc.
class EthernetTransmitQueue : public NetDeviceQueue
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Set what sends the port's frames; null once the port is disposed of.
    void SetTransmitter(EthernetTransmitter* transmitter)
    {
        m_transmitter = transmitter;
    }

    // From NetDeviceQueue
    bool IsStopped() const override;
    void Wake() override;
    void SetWakeCallback(WakeCallback cb) override;

  private:
    EthernetTransmitter* m_transmitter{nullptr}; //!< sends the port's frames
    WakeCallback m_wake;                         //!< runs the root queue disc
};

/// Chooses what a port sends next, and makes a frame of it.
///
/// MAC control goes first. Then a frame source and the queues take turns, while both have something
/// that may be sent. The queues are the root queue disc and, for packets that bypass it, a
/// drop-tail queue of this object.
class EthernetTransmitter
{
  public:
    /// Constructor. device: the port, for its hooks; mac: the port's end of the link; vlans: the
    /// VLANs. All of them outlive this object.
    EthernetTransmitter(EthernetNetDevice& device, EthernetMac& mac, const VlanMembership& vlans);

    /// Begin to work: connect the root queue disc with the port, which has its node.
    void Start(NetDevice& port);

    /// Release all packets and objects.
    void Dispose();

    /// Note a new frame source.
    void NotifyFrameSource()
    {
        m_isFrameDue = false;
    }

    /// Note that a root queue disc was installed or removed. @param isInstalled whether one is
    void NotifyQueueDisc(bool isInstalled);

    /// The link has gone down or come up: drop all packets of this object's queue.
    void NotifyLinkState();

    /// @return the root queue disc, null if there is none
    QueueDisc* FindQueueDisc()
    {
        return m_hasQueueDisc && !m_rootQueue ? LookUpQueueDisc() : m_rootQueue;
    }

    /// @return whether a packet has to wait; if so, the root queue disc is woken when the port is
    ///         idle
    bool MustWait();

    /// Ask the MAC control for a frame once the port is idle, ahead of all that waits.
    void RequestControl();

    /// Ask the frame source for a frame once the port is idle.
    void RequestFrame();

    /// As RequestFrame(), but at once if the port is idle. Only for events without another frame.
    void PullFrame();

    /// Queue a transit packet, and send it when its turn comes. @param item the packet
    void Forward(const Ptr<EthernetQueueItem>& item);

    /// Send a packet that has not come from the root queue disc, or queue it. packet: the packet,
    /// which nobody else changes any more. @return whether it is or will be sent
    bool Send(const Ptr<Packet>& packet,
              const MacBytes& destination,
              const MacBytes& source,
              uint16_t etherType);

    /// Get the address to which a packet of the stack is sent. @return the same address; without
    /// NeedsArp, the other end's or the multicast group's instead of the broadcast address
    MacBytes Resolve(const Packet& packet, const Address& destination, uint16_t etherType) const;

  private:
    /// A packet that is to become a frame.
    struct Outgoing
    {
        EthernetFrame frame;    //!< the frame, still without tags
        FrameContext context{}; //!< its context
    };

    /// Find the root queue disc on the first use. @return the root queue disc
    QueueDisc* LookUpQueueDisc();

    /// Queue a packet in the root queue disc, and send when its turn comes. @param item the packet
    void Enqueue(const Ptr<QueueDiscItem>& item);

    /// Send a packet that has come from the root queue disc. @param item the packet, with headers
    void SendItem(QueueDiscItem& item);

    /// Make a frame from a packet of the root queue disc.
    Outgoing MakeOutgoing(QueueDiscItem& item) const;

    /// Take the context off a packet of ns-3's stack. @param [in,out] outgoing the packet
    static void TakeContext(Outgoing& outgoing);

    /// Send or queue a packet that bypasses the root queue disc. @return whether it is or will be
    /// sent
    bool Submit(Outgoing&& outgoing);

    /// Count a packet that is to be sent. It is refused if the link is down, if it is longer than
    /// the MTU, or if its protocol number is no EtherType. @return false if it is refused
    bool Accept(EthernetFrame& frame);

    /// Begin to send a frame; the port is idle. @param outgoing the frame, still without tags
    void Transmit(Outgoing& outgoing);

    /// Send a frame of MAC control, if there is one; the port is idle.
    void TransmitControl();

    /// Have Complete() called when the transmission is over.
    void ScheduleCompletion();

    /// Send what has waited for the end of a transmission.
    void Complete();

    /// Send the next frame of the frame source; the port is idle. @return false if there was none
    bool TransmitFromSource();

    /// Send the next packet of the queues; the port is idle. @return false if there was none
    bool TransmitQueued();

    /// Send the next packet of the root queue disc; the port is idle. @return false without one
    bool Pull();

    EthernetMac& m_mac;            //!< the port's end of the link
    const VlanMembership& m_vlans; //!< the VLANs
    EthernetNetDevice& m_device;   //!< the port
    RecurringEvent<&EthernetTransmitter::Complete> m_completion{this}; //!< calls Complete()
    QueueDisc* m_rootQueue{nullptr};            //!< the root queue disc, once known
    uint32_t m_nodeId{0};                       //!< the id of the port's node
    bool m_hasQueueDisc{false};                 //!< whether there is a root queue disc
    bool m_isCompletionScheduled{false};        //!< whether Complete() will be called
    bool m_isControlDue{false};                 //!< whether MAC control is to be sent
    bool m_isFrameDue{false};                   //!< whether the frame source has frames
    bool m_wasFromSource{false};                //!< whether the last frame was the source's
    bool m_hasChecksums{false};                 //!< whether nodes compute checksums
    std::list<Outgoing> m_queue;                //!< packets that bypass the queue disc
    uint64_t m_queuedBytes{0};                  //!< bytes of payload in m_queue
    Ptr<EthernetTransmitQueue> m_transmitQueue; //!< connects the root queue disc
    NetDevice* m_port{nullptr};                 //!< m_device, as ns-3 knows it
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_TRANSMITTER_H
