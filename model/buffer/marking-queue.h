// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MARKING_QUEUE_H
#define AIDC_MARKING_QUEUE_H

#include "../attribute-accessors.h"
#include "buffered-queue-disc.h"
#include "shared-buffer.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// The counters of a MarkingQueue.
struct MarkingQueueStatistics
{
    uint64_t droppedPackets{0}; //!< packets refused as they arrived
    uint64_t markedPackets{0};  //!< packets marked with CE
};

/// The policy of one queue in the shared buffer: which packets are admitted, and marked.
///
/// Packets up to Buf_Thrd are admitted, packets beyond are dropped; the reasons for drops are
/// SharedBufferQueue's. Subclasses decide which admitted packets are marked. The packets are not
/// here but in the calling queue disc: a SwitchPortQueueDisc with this queue as a class, or a
/// SharedBufferQueueDisc.
///
/// Until the queue is opened, values of attributes are only kept; then they are checked together.
/// Afterwards, a new value is checked with all others. It is either taken, logged and traced, or
/// refused.
class MarkingQueue : public SharedBufferQueue
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Check the configuration, join a buffer, and derive settings from the port.
    /// @param queueDisc the queue disc that has the packets and knows the buffer; it outlives the
    ///        use of this queue
    /// @param device the port, null if there is none
    /// @throws std::runtime_error if the configuration is wrong
    void Open(BufferedQueueDisc& queueDisc, Ptr<NetDevice> device);

    /// Admit an arriving packet, and mark it if a mark is due.
    /// @param [in,out] item the packet; may be replaced by another item of the same size
    /// @param bytes its size
    /// @return null, or why the packet is to be dropped
    const char* AdmitPacket(Ptr<QueueDiscItem>& item, uint32_t bytes);

    /// Free the memory of a packet that leaves, and mark it if a mark is due.
    /// @param item the packet
    /// @param bytes its size
    void ReleasePacket(const Ptr<QueueDiscItem>& item, uint32_t bytes);

    /// @return the buffer, null before the queue is opened
    Ptr<SharedBuffer> GetSharedBuffer() const
    {
        return m_queueDisc ? m_queueDisc->GetSharedBuffer() : nullptr;
    }

    /// @return packets in the queue
    uint32_t GetNPackets() const
    {
        return m_nPackets;
    }

    /// @return the statistics
    const MarkingQueueStatistics& GetQueueStatistics() const
    {
        return m_queueStatistics;
    }

    /// @return the port, null if there is none or the queue is not open
    Ptr<NetDevice> GetDevice() const
    {
        return m_device;
    }

    /// Assign a fixed random variable stream number to the random variables of this model.
    /// @param stream the first stream number to use
    /// @return the number of stream numbers used: 1
    int64_t AssignStreams(int64_t stream);

    /// TracedCallback signature for a packet that has been marked or dropped.
    /// @param [in] item the packet
    /// @param [in] reason the reason for the mark or the drop
    typedef void (*PacketTracedCallback)(Ptr<const QueueDiscItem> item, const char* reason);

    /// TracedCallback signature for a reconfiguration while running.
    /// @param [in] before the configuration before: derived settings, and all attributes by name
    /// @param [in] after the configuration after
    typedef void (*ReconfigurationTracedCallback)(const std::string& before,
                                                  const std::string& after);

  protected:
    void DoDispose() override;

    /// @return whether the queue has no packets; an arriving one is not in it yet
    bool IsEmpty() const
    {
        return m_nPackets == 0;
    }

    /// @return LinkRate, or else the device's rate; 0 if neither is known
    DataRate GetEffectiveRate() const;

    /// @return the MTU of the device in bytes, 1500 without a device
    uint32_t GetDeviceMtu() const;

    /// Make m_uniform, with the stream that has been assigned.
    void MakeUniform();

    /// Mark a packet with CE, and call the trace source.
    /// @return false if the packet is not ECN-capable
    bool Mark(const Ptr<QueueDiscItem>& item, const char* reason);

    /// Make the accessor of an attribute. In an open queue, a new value is checked with all others.
    /// @tparam V the type of the attribute's value, such as TimeValue
    /// @param member the member that holds it, or the bytes of a QueueSizeValue
    /// @return the accessor
    template <typename V, typename C, typename T>
    static Ptr<const AttributeAccessor> MakeQueueAccessor(T C::* member)
    {
        return MakeMemberAccessor<V>(member, [](C& queue, T C::* changed, const T& value) {
            queue.Change(queue.*changed, value);
        });
    }

    Ptr<UniformRandomVariable> m_uniform; //!< draws; null before MakeUniform()

  private:
    /// Give a member that holds an attribute its value. In an open queue, check it, derive settings
    /// from it, log and trace it.
    /// @throws std::invalid_argument if the value is not allowed; then nothing has changed
    template <typename T>
    void Change(T& member, const T& value);

    /// Find what is wrong with the configuration. The device is known.
    /// @return the error, empty if there is none
    virtual std::string FindConfigError() const
    {
        return "";
    }

    /// @return the derived settings in words; by default the name of the class
    virtual std::string Describe() const
    {
        return GetInstanceTypeId().GetName();
    }

    /// @return the derived settings in words, and all attributes by name
    std::string DescribeAll() const;

    /// Open the subclass. The buffer is known, and the attributes have been checked.
    virtual void DoOpen()
    {
    }

    /// Derive settings from the attributes, which have been checked.
    virtual void Derive()
    {
    }

    /// Throw std::invalid_argument if the configuration is wrong.
    void ThrowConfigError() const;

    /// Derive settings from a configuration that has changed, log it and trace it.
    /// @param before the configuration before, in words
    void Reconfigure(const std::string& before);

    /// Decide on a packet that has been admitted and counted, before it is queued. @param item the
    /// packet; may be replaced by another item of the same size
    virtual const char* DoAdmit(Ptr<QueueDiscItem>& item) = 0;

    /// Decide on a packet that has left the queue, after its memory was freed.
    /// @param item the packet; may be marked
    virtual void DoRelease([[maybe_unused]] const Ptr<QueueDiscItem>& item)
    {
    }

    BufferedQueueDisc* m_queueDisc{nullptr};  //!< has the packets, and marks them
    uint32_t m_nPackets{0};                   //!< packets in the queue
    int64_t m_stream{-1};                     //!< stream of m_uniform, -1 for any
    Ptr<NetDevice> m_device;                  //!< the port
    MarkingQueueStatistics m_queueStatistics; //!< the statistics
    DataRate m_linkRate;                      //!< attribute LinkRate
    /// trace of marks
    TracedCallback<Ptr<const QueueDiscItem>, const char*> m_markTrace;
    /// trace of drops
    TracedCallback<Ptr<const QueueDiscItem>, const char*> m_dropTrace;
    /// trace of reconfigurations
    TracedCallback<const std::string&, const std::string&> m_reconfigurationTrace;
};

template <typename T>
void
MarkingQueue::Change(T& member, const T& value)
{
    if (!IsInitialized())
    {
        member = value;
    }
    else if (member != value)
    {
        const std::string before = DescribeAll();
        SetChecked(member, value, [this] { ThrowConfigError(); });
        Reconfigure(before);
    }
}

/// A first-in-first-out queue disc of one MarkingQueue, alone or anywhere in a user's tree.
///
/// Subclasses choose the queue, and have its attributes and trace sources. A SwitchPortQueueDisc
/// has such queues as its classes, without queue discs of their own.
class SharedBufferQueueDisc : public BufferedQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the queue, with its policy and its share of the buffer
    Ptr<MarkingQueue> GetBufferQueue() const
    {
        return m_queue;
    }

    /// Assign a fixed random variable stream number to the random variables of this model.
    /// @param stream the first stream number to use
    /// @return the number of stream numbers used: 1
    int64_t AssignStreams(int64_t stream);

    // From PortBuffer
    PortBufferUse GetBufferUse() const override;

  protected:
    /// Constructor. @param queue the queue
    explicit SharedBufferQueueDisc(Ptr<MarkingQueue> queue);

    /// Give a type the attributes and trace sources of the queue of its objects. base: a parent of
    /// queue, whose attributes and trace sources are not taken. @return the type
    static TypeId MirrorQueue(TypeId tid, TypeId queue, TypeId base = MarkingQueue::GetTypeId());

  private:
    // From QueueDisc
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    Ptr<MarkingQueue> m_queue; //!< admits and marks
};

/// Refuse that a user has set the default of an attribute of a queue at the type of the queue. This
/// default would have no effect: the queue disc that has the attributes of the queue has its own.
/// @param part the type of the queue
/// @param base a parent of it, whose attributes the queue disc does not have
/// @param mirror the type of the queue disc
void RefuseMirroredDefaults(TypeId part, TypeId base, TypeId mirror);

} // namespace ns3::aidc

#endif // AIDC_MARKING_QUEUE_H
