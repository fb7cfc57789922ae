/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SHARED_BUFFER_QUEUE_DISC_H
#define AIDC_SHARED_BUFFER_QUEUE_DISC_H

#include "ns3/net-device.h"
#include "ns3/port-buffer.h"
#include "ns3/queue-disc.h"
#include "ns3/shared-buffer.h"

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A first-in-first-out queue disc that draws on the shared buffer of its switch.
 *
 * A packet is admitted up to Buf_Thrd and dropped beyond; the reasons are those of
 * SharedBufferQueue. Subclasses say what happens to the packets that are admitted.
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

    /// The share, for use on every packet.
    SharedBufferQueue* m_queue;

  private:
    /**
     * @brief Treat a packet that has been admitted and counted, before it is queued.
     * @param [in,out] item the packet; may be replaced by another item of the same size
     * @return nullptr to queue it, or the reason to drop it
     */
    virtual const char* DoAdmit(Ptr<QueueDiscItem>& item) = 0;

    /// A packet has left the queue and has been given back to the buffer.
    virtual void DoRelease() = 0;

    InternalQueue* m_packets{nullptr};   //!< the internal queue
    Ptr<SharedBufferQueue> m_queueOwner; //!< keeps m_queue
    Ptr<SharedBuffer> m_buffer;          //!< the buffer
    Ptr<NetDevice> m_device;             //!< the device
    QueueSize m_bufferSize;              //!< size of a buffer of its own
};

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_QUEUE_DISC_H
