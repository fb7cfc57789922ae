// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SWITCH_PORT_QUEUE_DISC_H
#define AIDC_SWITCH_PORT_QUEUE_DISC_H

#include "../core/buffer/traffic-class-map.h"
#include "../core/ethernet/mac-control.h"
#include "buffered-queue-disc.h"
#include "marking-queue.h"
#include "shared-buffer.h"

#include "ns3/queue-disc.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::aidc
{

/// A traffic class of a SwitchPortQueueDisc: its share of the link, and its queue.
///
/// Usually the queue is a MarkingQueue, which marks packets and draws on the shared buffer. Its
/// packets are in the port. Instead, a class may have a queue disc of ns-3's own, as a child of the
/// port.
class SwitchPortClass : public QueueDiscClass
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Give the class its queue, before it is added to a port.
    /// @param queue a MarkingQueue, or a queue disc. If it is a SharedBufferQueueDisc, such as
    ///        CoupledEcnQueueDisc, only its MarkingQueue is used. A queue disc of ns-3's own
    ///        becomes a child of the port.
    void SetQueue(Ptr<Object> queue);

    /// @return the class's queue, null if it has a queue disc of ns-3's own
    Ptr<MarkingQueue> GetQueue() const;

    /// @return the quantum in bytes a round; 0 is strict priority
    uint32_t GetQuantum() const
    {
        return m_quantum;
    }

    /// @return whether packets are charged to their ingress ports
    bool IsLossless() const
    {
        return m_isLossless;
    }

    /// @return the class's share of the shared buffer
    Ptr<SharedBufferQueue> GetBufferQueue() const;

    /// @return the type of the queue disc that the queue was taken from, TypeId() if there was none
    TypeId GetQueueDiscType() const
    {
        return m_queueDiscType;
    }

  private:
    uint32_t m_quantum;     //!< attribute Quantum
    bool m_isLossless;      //!< attribute Lossless
    TypeId m_queueDiscType; //!< type of the queue disc that the queue was taken from
    /// the share of the buffer: the MarkingQueue, or else made when it is needed
    mutable Ptr<SharedBufferQueue> m_share;
};

/// The egress queues of a switch port: up to eight traffic classes, each with a queue.
///
/// A packet's class is chosen by its DSCP. If an L4S class is set, packets with the ECN codepoints
/// ECT(1) and CE go to this class instead (RFC 9331, section 5.1). It keeps a marking of its own,
/// while the classic class has the coupled threshold of the draft "Dynamic ECN Threshold"
/// (section 3). Packets that are not IP go to NonIpClass. With Trust Pcp, packets that arrived with
/// a VLAN tag go to the class of its priority code point (IEEE 802.1Q) instead.
/// TrafficClassScheduler chooses the class that sends next: strict priority for classes without a
/// quantum, deficit round robin for the others. Priority flow control can pause a class.
///
/// The queue of a class is a MarkingQueue: coupled, static or RED marking (CoupledEcnQueue), or
/// marking with two thresholds (PreEcnQueue). The port has all packets in one internal queue, so
/// that ns-3's statistics, sizes and trace sources count each packet once as it arrives and once as
/// it leaves. A class may have a queue disc of ns-3's own as a child instead (RED, FqCoDel...).
/// Then the port admits packets to the shared buffer for the child and follows its size, so that
/// all queue discs are compared in the same memory.
///
/// A lossless class has no limit of its own. A packet is charged to its ingress port, at the
/// priority that is the number of its class (SharedBuffer::AdmitIngress), and refused only if this
/// account has no room left.
///
/// Without classes it makes NClasses of them, each with the queue of a CoupledEcnQueueDisc.
class SwitchPortQueueDisc : public BufferedQueueDisc, public PausableClasses
{
  public:
    /// The field of a packet that chooses its class.
    enum TrustKind
    {
        DSCP, //!< the DSCP
        PCP   //!< the priority code point of the VLAN tag, the DSCP without a tag
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    SwitchPortQueueDisc();

    /// The largest number of classes.
    static constexpr uint32_t MAX_CLASSES = RingQueue::Packets::MAX_CLASSES;

    /// Add a class, before initialization. Its number is the number of classes before.
    /// @param portClass the class
    void AddClass(Ptr<SwitchPortClass> portClass);

    /// Get a class by its number.
    Ptr<SwitchPortClass> GetClass(uint32_t index) const
    {
        return m_classes.at(index);
    }

    /// Returns the ingress port of a packet, SharedBuffer::NO_PORT for none.
    using IngressPortReader = uint32_t (*)(const QueueDiscItem& item);

    /// Set the function that returns the ingress port of packets of lossless classes.
    /// @param reader the function; without one, no packet has an ingress port
    void SetIngressPortReader(IngressPortReader reader)
    {
        m_ingressPortReader = reader;
    }

    /// Returns the priority code point of a packet's VLAN tag; 8 or more without a tag.
    using PriorityReader = std::function<uint8_t(const QueueDiscItem& item)>;

    /// Set the function that returns the priority code points of packets, for Trust Pcp.
    /// @param reader the function
    void SetPriorityReader(PriorityReader reader);

    /// @return the classes by the fields of packets
    const TrafficClassMap& GetClassMap() const
    {
        return m_classMap;
    }

    /// @return whether classes are chosen by priority code points, for packets with VLAN tags
    bool IsPcpTrusted() const
    {
        return m_trust == PCP;
    }

    // From PausableClasses
    uint32_t GetNClasses() const override;
    void SetPaused(uint32_t index, bool paused) override;
    void SetDiscarding(uint32_t index, bool discarding) override;
    bool IsWaiting(uint32_t index) const override;
    uint64_t GetSent(uint32_t index) const override;

    /// @return whether the class of this number is paused
    bool IsPaused(uint32_t index) const;

    // From PortBuffer
    PortBufferUse GetBufferUse() const override;

    /// TracedCallback signature for a class that is paused or resumed. @param [in] index the class
    /// @param [in] paused true if it is now paused
    typedef void (*PauseTracedCallback)(uint32_t index, bool paused);

    /// Reason of a drop: the class is being emptied because its peer has paused it for too long.
    static constexpr const char* STORM_DROP = "Paused for too long";

  protected:
    void DoDispose() override;

  private:
    /// The state of a class that each packet needs.
    struct ClassState
    {
        MarkingQueue* queue{nullptr};      //!< the queue, null if there is a child
        QueueDisc* child{nullptr};         //!< the queue disc of ns-3's own, null if there is none
        SharedBufferQueue* share{nullptr}; //!< the share of the buffer
        uint64_t sent{0};                  //!< packets sent
        uint64_t childCharge{0};           //!< memory of the child's packets, if it is in cells
        bool isLossless{false};            //!< whether packets are charged to the ingress
    };

    /// Add the attributes that choose the class of a packet. @return the type ID
    static TypeId AddClassAttributes(TypeId tid);

    /// @return how many classes maps may name: only classes that exist, once these are known
    uint32_t GetMostClasses() const
    {
        return m_packets ? m_packets->GetPackets().GetNClasses() : MAX_CLASSES;
    }

    /// Apply a changed map, once the number of classes is known.
    void FillMap();

    /// Set the class of packets that are ECT(1) or CE, -1 for none.
    /// @throws std::invalid_argument if there is no such class
    void SetL4sClass(int32_t index);

    /// Set the field that chooses the class of a packet.
    /// @throws std::invalid_argument if it is PCP and nothing tells the code points of packets
    void SetTrust(TrustKind trust);

    /// Refuse maps that name classes which are not there.
    void CheckMap() const;

    /// Choose the class of a packet. @return its number
    uint32_t Classify(const QueueDiscItem& item) const;

    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /// Queue a packet in a class, within the limits of the class's queue.
    /// @return false if the packet was dropped
    bool EnqueueInClass(uint32_t index, Ptr<QueueDiscItem>& item, uint32_t bytes);

    /// Queue a packet in a class whose child is a queue disc of ns-3's own.
    /// @return false if the packet was dropped
    bool EnqueueInChild(uint32_t index, const Ptr<QueueDiscItem>& item);

    /// Remove the first packet of a class, and free its memory. bytes: the size of the packet.
    /// @return the packet, null if there is none
    Ptr<QueueDiscItem> Take(uint32_t index, uint32_t& bytes);

    /// Get the size of the first packet of a class. @param index the class
    /// @return bytes; 0 if there is none: a child may drop packets while it looks for the first
    uint32_t GetHeadSize(uint32_t index);

    /// Set a class's share of the buffer to the size of its child. @param index the class
    void FollowChild(uint32_t index);

    /// Sum up the cells of the packets of a class's child. @param index the class
    void CountChildCells(uint32_t index);

    /// Get the ingress port of a packet. @return the port, SharedBuffer::NO_PORT for none
    uint32_t GetIngressPort(const QueueDiscItem& item) const
    {
        return m_ingressPortReader ? m_ingressPortReader(item) : SharedBuffer::NO_PORT;
    }

    /// Credit the ingress of a packet that a class's queue disc has dropped.
    void ReleaseDropped(Ptr<const QueueDiscItem> item, const char* reason);

    // What each packet touches comes first.
    std::vector<ClassState> m_states;            //!< the classes, by index
    TrustKind m_trust{DSCP};                     //!< attribute Trust
    TrafficClassMap m_classMap;                  //!< chooses the class of a packet
    PriorityReader m_priorityReader;             //!< returns PCPs
    uint32_t m_current{0};                       //!< the class whose packet may be dropped
    IngressPortReader m_ingressPortReader{};     //!< returns the ingress port of a packet
    uint32_t m_nClasses;                         //!< attribute NClasses
    std::vector<Ptr<SwitchPortClass>> m_classes; //!< the classes
    TracedCallback<uint32_t, bool> m_pauseTrace; //!< trace of pausing
};

/// A queue of a port.
struct PlacedQueue
{
    Ptr<MarkingQueue> queue; //!< the queue
    uint8_t index{0};        //!< its class among the root's classes; 0 for the root's own queue
};

/// Find the queues that mark packets, below a root queue disc.
///
/// These are the classes of a SwitchPortQueueDisc, and queue discs anywhere in a user's tree.
/// @param root the root, may be null
/// @return the queues
std::vector<PlacedQueue> FindMarkingQueues(const Ptr<QueueDisc>& root);

} // namespace ns3::aidc

#endif // AIDC_SWITCH_PORT_QUEUE_DISC_H
