/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_QUEUE_DISC_H
#define AIDC_SHARED_BUFFER_QUEUE_DISC_H

#include "queue-disc-totals.h"

#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/port-buffer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size-bytes.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shared-buffer.h"
#include "ns3/traced-callback.h"
#include "ns3/try-set-attribute.h"

#include <cstdint>
#include <string>
#include <type_traits>

namespace ns3::aidc
{

class RingQueue;

/**
 * @ingroup aidc
 * @brief A first-in-first-out queue disc that draws on the shared buffer of its switch.
 *
 * A packet is admitted up to Buf_Thrd and dropped beyond; the reasons are those of
 * SharedBufferQueue. Subclasses say what happens to the packets that are admitted. Their attributes
 * are set by Set(): before initialization values are kept and then checked together; afterwards a
 * value is checked with all others, and taken, logged and traced, or refused.
 *
 * The buffer is the one aggregated to the node, unless one is set; without either the queue disc
 * makes one for itself, of the size BufferSize.
 */
class SharedBufferQueueDisc : public QueueDisc, public PortBuffer
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    SharedBufferQueueDisc();
    ~SharedBufferQueueDisc() override;

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
     * @brief Set the device whose queue this is, before initialization; by default it is found.
     * @param device the device
     */
    void SetDevice(Ptr<NetDevice> device);

    /**
     * @brief Get this queue's share of the buffer, with its limits as attributes.
     * @return the share
     */
    Ptr<SharedBufferQueue> GetBufferQueue() const;

    // From PortBuffer
    PortBufferUse GetBufferUse() const override;

    /**
     * @brief Have packets pushed and popped from now on, and counted as they leave.
     * @return false, and nothing changed, if the internal queue is none of aidc's
     */
    bool CountOnDeparture();

    /**
     * @brief Queue a packet, in place of Enqueue().
     * @param item the packet
     * @return false if it was dropped
     */
    bool Push(Ptr<QueueDiscItem> item);

    /**
     * @brief Take the first packet, in place of Dequeue().
     * @return the packet, null if there is none
     */
    Ptr<QueueDiscItem> Pop();

    /**
     * @brief Tell whether there are packets, however they are counted.
     * @return true if there is none
     */
    bool IsEmpty() const;

    /**
     * @brief Assign a fixed random variable stream number to the random variables of this model.
     * @param stream the first stream number to use
     * @return the number of stream numbers used: 1
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @brief TracedCallback signature for a reconfiguration while running.
     * @param [in] before the configuration before: what follows from the attributes, and all
     * attributes by name
     * @param [in] after the configuration after
     */
    typedef void (*ReconfigurationTracedCallback)(const std::string& before,
                                                  const std::string& after);

  protected:
    void DoDispose() override;
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /**
     * @brief Get the device.
     * @return the device, null if there is none; known from CheckConfig on
     */
    Ptr<NetDevice> GetDevice() const;

    /**
     * @brief Get LinkRate, or what the device has instead.
     * @return the rate, 0 if neither tells
     */
    DataRate GetEffectiveRate() const;

    /**
     * @brief Get the MTU of the device.
     * @return the MTU in bytes, 1500 without a device
     */
    uint32_t GetDeviceMtu() const;

    /// Make m_uniform, with the stream that has been assigned.
    void MakeUniform();

    /**
     * @brief Set an attribute; while running, check it, derive from it, log it and trace it.
     * @tparam Member the member that holds the attribute, of this class or a subclass
     * @tparam T the attribute's type
     * @param value the new value; a QueueSize has to be in bytes
     * @return false, and nothing changed, if it cannot be
     */
    template <auto Member, typename T>
    bool Set(T value);

    /**
     * @brief Get an attribute.
     * @tparam Member the member that holds the attribute, of this class or a subclass
     * @tparam T the attribute's type
     * @return its value
     */
    template <auto Member, typename T>
    T Get() const;

    SharedBufferQueue* m_queue;           //!< the share, for use on every packet
    Ptr<UniformRandomVariable> m_uniform; //!< draws; null before MakeUniform()

  private:
    /**
     * @brief Get the class of a pointer to a member.
     * @tparam C the class
     * @tparam T the member's type
     * @return the class, which is not evaluated
     */
    template <typename C, typename T>
    static C& OwnerOf(T C::*);

    /**
     * @brief Say what is wrong with the configuration; the device is known.
     * @return the error, empty if there is none
     */
    virtual std::string FindConfigError() const;

    /**
     * @brief Describe what follows from the attributes.
     * @return that, in words; the name of the class by default
     */
    virtual std::string Describe() const;

    /**
     * @brief Describe the configuration.
     * @return what follows from the attributes, and all attributes by name
     */
    std::string DescribeAll() const;

    /// Put the attributes to work, which have been checked.
    virtual void Derive();

    /**
     * @brief Admit a packet, or drop it.
     * @param [in,out] item the packet; may be replaced
     * @return false if it was dropped
     */
    bool Admit(Ptr<QueueDiscItem>& item);

    /**
     * @brief Give the memory of a packet back that has left the internal queue.
     * @param item the packet; may be marked
     */
    void Depart(const Ptr<QueueDiscItem>& item);

    /// The limits of the share or the size of the buffer have changed.
    virtual void NotifyLimits();

    /// Throw what is wrong with the configuration as std::invalid_argument.
    void ThrowConfigError() const;

    /**
     * @brief Derive from a configuration that has changed, log it and trace it.
     * @param before the configuration before, in words
     */
    void Reconfigure(const std::string& before);

    /**
     * @brief Treat a packet that has been admitted and counted, before it is queued.
     * @param [in,out] item the packet; may be replaced by another item of the same size
     * @return nullptr to queue it, or the reason to drop it
     */
    virtual const char* DoAdmit(Ptr<QueueDiscItem>& item) = 0;

    /**
     * @brief Treat a packet that has left the queue and has been given back to the buffer.
     * @param item the packet; may be marked
     */
    virtual void DoRelease(const Ptr<QueueDiscItem>& item);

    InternalQueue* m_packets{nullptr};   //!< the internal queue
    RingQueue* m_ring{nullptr};          //!< the same, if it is aidc's
    QueueDiscTotals m_totals;            //!< attached if packets are pushed and popped
    Ptr<SharedBufferQueue> m_queueOwner; //!< keeps m_queue
    Ptr<SharedBuffer> m_buffer;          //!< the buffer
    Ptr<NetDevice> m_device;             //!< the device
    QueueSize m_bufferSize;              //!< size of a buffer of its own
    DataRate m_linkRate;                 //!< attribute LinkRate
    int64_t m_stream{-1};                //!< stream of m_uniform, -1 for any
    /// trace of reconfigurations
    TracedCallback<const std::string&, const std::string&> m_reconfigurationTrace;
};

template <auto Member, typename T>
bool
SharedBufferQueueDisc::Set(T value)
{
    return TrySetAttribute(*this, [this, &value] {
        if constexpr (std::is_same_v<T, QueueSize>)
        {
            GetBytes(value); // must be in bytes
        }
        auto& member = static_cast<decltype(OwnerOf(Member))>(*this).*Member;
        if (!IsInitialized())
        {
            member = value;
            return;
        }
        if (member == value)
        {
            return;
        }
        const std::string before = DescribeAll();
        SetChecked(member, value, [this] { ThrowConfigError(); });
        Reconfigure(before);
    });
}

template <auto Member, typename T>
T
SharedBufferQueueDisc::Get() const
{
    return static_cast<std::add_const_t<std::remove_reference_t<decltype(OwnerOf(Member))>>&>(
               *this).*
           Member;
}

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_QUEUE_DISC_H
