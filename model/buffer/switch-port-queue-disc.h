/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SWITCH_PORT_QUEUE_DISC_H
#define AIDC_SWITCH_PORT_QUEUE_DISC_H

#include "queue-disc-totals.h"
#include "switch-port-class.h"

#include "ns3/pausable-classes.h"
#include "ns3/port-buffer.h"
#include "ns3/port-queue.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/traced-callback.h"
#include "ns3/traffic-class-map.h"
#include "ns3/traffic-class-scheduler.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::aidc
{

class SharedBufferQueueDisc;

/**
 * @ingroup aidc
 * @brief The egress queues of a switch port: up to eight traffic classes, each with a queue disc.
 *
 * A packet's class is chosen by its DSCP, and by its ECN codepoint where an L4S class is set:
 * ECT(1) and CE then go to that class (RFC 9331, section 5.1), which keeps a marking of its own,
 * while the classic class has the threshold that the draft "Dynamic ECN Threshold" couples (its
 * section 3). Packets that are not IP go to NonIpClass. With Trust Pcp, packets that have come with
 * a VLAN tag go to the class of its priority code point (IEEE 802.1Q) instead. Which class sends
 * next is up to TrafficClassScheduler: strict priority for classes without a quantum, deficit round
 * robin for the others. A class can be paused, as priority flow control does.
 *
 * The queue disc of a class may be any of ns-3's or ours. One that draws on the node's SharedBuffer
 * by itself does so; for any other, this queue disc admits packets to the shared buffer and follows
 * the other's size, so that all are compared in the same memory.
 *
 * A lossless class has no limit of its own: a packet is charged to the port that it came in by and
 * to the priority that is the number of its class (SharedBuffer::AdmitIngress), and refused only if
 * that has no room left.
 *
 * Without classes it makes NClasses of them, each with a CoupledEcnQueueDisc.
 *
 * ns-3's QueueDisc counts each packet four times on its way, by trace sources. With
 * CountOnDeparture an EthernetNetDevice passes that by: what is queued is then GetQueuedBytes().
 */
class SwitchPortQueueDisc : public QueueDisc,
                            public PortBuffer,
                            public PausableClasses,
                            public PortQueue
{
  public:
    /// What of a packet is trusted to tell its class.
    enum TrustKind
    {
        DSCP, //!< the DSCP
        PCP   //!< the priority code point of the VLAN tag, the DSCP without a tag
    };

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    SwitchPortQueueDisc();
    ~SwitchPortQueueDisc() override;

    /// The largest number of classes.
    static constexpr uint32_t MAX_CLASSES = TrafficClassScheduler::MAX_CLASSES;

    /**
     * @brief Set the buffer to draw on, before initialization.
     * @param buffer the buffer
     */
    void SetSharedBuffer(Ptr<SharedBuffer> buffer);

    /**
     * @brief Get the buffer.
     * @return the buffer, null before initialization unless one was set
     */
    Ptr<SharedBuffer> GetSharedBuffer() const;

    /**
     * @brief Get the class that a packet would go to.
     * @param tos the second byte of the IPv4 header, or the traffic class of the IPv6 one
     * @return the class
     */
    uint32_t GetClassOfTos(uint8_t tos) const;

    /// Tells the port that a packet came in by, SharedBuffer::NO_PORT for none.
    using IngressPortReader = uint32_t (*)(const QueueDiscItem& item);

    /**
     * @brief Set what tells the port that a packet of a lossless class came in by.
     * @param reader the function; without one no packet came in by a port
     */
    void SetIngressPortReader(IngressPortReader reader);

    /// Tells the priority code point of a packet's VLAN tag, from 8 on without one.
    using PriorityReader = std::function<uint8_t(const QueueDiscItem& item)>;

    /**
     * @brief Set what tells the priority code points of packets, for Trust Pcp.
     * @param reader the function
     */
    void SetPriorityReader(PriorityReader reader);

    /**
     * @brief Tell whether classes are chosen by priority code points.
     * @return whether they are, for packets with VLAN tags
     */
    bool IsPcpTrusted() const;

    // From PausableClasses
    uint32_t GetNClasses() const override;
    void SetPaused(uint32_t index, bool paused) override;
    void SetDiscarding(uint32_t index, bool discarding) override;
    bool IsWaiting(uint32_t index) const override;
    uint64_t GetSent(uint32_t index) const override;

    /**
     * @brief Tell whether a class is paused.
     * @param index the class
     * @return true if it is
     */
    bool IsPaused(uint32_t index) const;

    // From PortBuffer
    PortBufferUse GetBufferUse() const override;

    // From PortQueue
    void Attach() override;
    bool Push(const Ptr<QueueDiscItem>& item) override;
    Ptr<QueueDiscItem> Pop() override;
    bool HasPackets() const override;
    uint64_t GetQueuedBytes() const override;

    /**
     * @brief TracedCallback signature for a class that is paused or resumed.
     * @param [in] index the class
     * @param [in] paused true if it is now paused
     */
    typedef void (*PauseTracedCallback)(uint32_t index, bool paused);

    /// Reason of a drop: the class is being emptied because its peer has stopped it for too long.
    static constexpr const char* STORM_DROP = "Paused for too long";

  protected:
    void DoDispose() override;

  private:
    /// What a packet needs to know of its class.
    struct ClassState
    {
        SharedBufferQueueDisc* direct{nullptr}; //!< the queue disc to push to, if not counted
        QueueDisc* queueDisc{nullptr};          //!< the class's queue disc
        SharedBufferQueue* share{nullptr};      //!< its share of the buffer
        SharedBufferQueue* follow{nullptr};     //!< that share, null if the queue disc sees to it
        uint64_t sent{0};                       //!< packets sent
        bool isLossless{false};                 //!< whether packets are charged to who brought them

        /**
         * @brief Take the first packet out.
         * @return the packet, null if there is none
         */
        Ptr<QueueDiscItem> Take() const;
    };

    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /**
     * @brief Set the map of DSCPs to classes.
     * @param map `DSCP:class` pairs separated by commas
     * @return false if that is not what it is
     */
    bool SetDscpMap(std::string map);

    /**
     * @brief Get the map of DSCPs to classes.
     * @return the attribute as it was set
     */
    std::string GetDscpMap() const;

    /**
     * @brief Set the map of priority code points to classes.
     * @param map `PCP:class` pairs separated by commas
     * @return false if that is not what it is
     */
    bool SetPcpMap(std::string map);

    /**
     * @brief Get the map of priority code points to classes.
     * @return the attribute as it was set
     */
    std::string GetPcpMap() const;

    /**
     * @brief Set what tells the class of a packet.
     * @param trust what does
     * @return false if nothing tells the priority code points
     */
    bool SetTrust(TrustKind trust);

    /**
     * @brief Get what tells the class of a packet.
     * @return what does
     */
    TrustKind GetTrust() const;

    /**
     * @brief Choose the class of a packet.
     * @param item the packet
     * @return the class
     */
    uint32_t Classify(const QueueDiscItem& item) const;

    /**
     * @brief Set the class of packets that are ECT(1) or CE.
     * @param index the class, -1 for none
     * @return false if there is no such class
     */
    bool SetL4sClass(int32_t index);

    /**
     * @brief Get the class of packets that are ECT(1) or CE.
     * @return the class, -1 for none
     */
    int32_t GetL4sClass() const;

    /**
     * @brief Set the class of packets that are not IP.
     * @param index the class, the highest one where there are fewer
     */
    void SetNonIpClass(uint32_t index);

    /**
     * @brief Get the class of packets that are not IP.
     * @return the class
     */
    uint32_t GetNonIpClass() const;

    /// Put a changed map of classes to work, once there are classes.
    void FillMap();

    /// Count packets as they leave from now on, if that is wanted and possible.
    void TryCountOnDeparture();

    /**
     * @brief Queue a packet in its class.
     * @param item the packet
     * @return false if it was dropped
     */
    bool Accept(const Ptr<QueueDiscItem>& item);

    /**
     * @brief Queue a packet in a class, within the limits of the class's queue.
     * @param index the class
     * @param item the packet
     * @return false if it was dropped
     */
    bool EnqueueInClass(uint32_t index, const Ptr<QueueDiscItem>& item);

    /**
     * @brief Get the port that a packet came in by.
     * @param item the packet
     * @return the port, SharedBuffer::NO_PORT for none
     */
    uint32_t GetIngressPort(const QueueDiscItem& item) const
    {
        return m_ingressPortReader ? m_ingressPortReader(item) : SharedBuffer::NO_PORT;
    }

    /**
     * @brief Credit those who brought a packet which a class's queue disc has dropped.
     * @param item the packet
     * @param reason why it was dropped
     */
    void ReleaseDropped(Ptr<const QueueDiscItem> item, const char* reason);

    /**
     * @brief Note whether a class has packets.
     * @param index the class
     */
    void UpdateWaiting(uint32_t index);

    std::vector<ClassState> m_states;        //!< the classes, by index
    TrafficClassScheduler m_scheduler;       //!< chooses who sends
    uint32_t m_waiting{0};                   //!< the classes that have packets, a bit each
    uint32_t m_paused{0};                    //!< the classes that are paused, a bit each
    uint32_t m_discarding{0};                //!< the classes that are emptied, a bit each
    uint32_t m_current{0};                   //!< the class whose queue disc is at work
    QueueDiscTotals m_totals;                //!< attached if packets are counted as they leave
    IngressPortReader m_ingressPortReader{}; //!< tells the port that a packet came in by
    /// What is wrong without a reader of priority code points.
    static constexpr const char* UNKNOWN_PRIORITIES =
        "nothing tells the priority code points of packets";

    PriorityReader m_priorityReader;             //!< tells PCPs
    TrustKind m_trust{DSCP};                     //!< attribute Trust
    TrafficClassMap m_map;                       //!< chooses the class of a packet
    bool m_isAttached{false};                    //!< whether the port knows PortQueue
    bool m_countOnDeparture;                     //!< attribute CountOnDeparture
    uint32_t m_nClasses;                         //!< attribute NClasses
    QueueSize m_bufferSize;                      //!< attribute BufferSize
    Ptr<SharedBuffer> m_buffer;                  //!< the buffer
    TracedCallback<uint32_t, bool> m_pauseTrace; //!< trace of pausing
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_PORT_QUEUE_DISC_H
