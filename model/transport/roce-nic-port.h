/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_PORT_H
#define AIDC_ROCE_NIC_PORT_H

#include "roce-nic-settings.h"
#include "roce-queue-pair.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/event-id.h"
#include "ns3/item-heap.h"
#include "ns3/pausable-classes.h"
#include "ns3/vector-fifo.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A port of a RoceNic: makes the next packet when the port is idle.
 *
 * Acknowledgments and congestion notification packets go first, from the highest class on. Then the
 * classes that are not paused take turns, and in a class the queue pairs that may send. A queue
 * pair that has to wait for its time is in a heap; the timer of a port is that of the first one.
 */
class RoceNicPort : public EthernetFrameSource, public PausableClasses
{
  public:
    /// The number of traffic classes.
    static constexpr uint32_t N_CLASSES = 8;

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    RoceNicPort();
    ~RoceNicPort() override;

    /**
     * @brief Begin to serve a port.
     * @param device the port
     * @param address its IPv4 address, host byte order
     * @param settings what the adapter has set, which outlives this
     */
    void Install(Ptr<EthernetNetDevice> device, uint32_t address, RoceNicSettings& settings);

    /**
     * @brief Get the port.
     * @return the port
     */
    Ptr<EthernetNetDevice> GetDevice() const;

    /**
     * @brief Get the IPv4 address.
     * @return the address, host byte order
     */
    uint32_t GetAddress() const;

    /**
     * @brief Have a queue pair send what it may. It is this port's and outlives it.
     * @param pair the queue pair
     */
    void Activate(RoceQueuePair& pair);

    /**
     * @brief Send an answer or a notification.
     *
     * An answer takes along the marks and the signal that have come since the last one.
     *
     * @param pair whose it is
     * @param packet its headers
     */
    void SendControl(RoceQueuePair& pair, RocePacket packet);

    /**
     * @brief Start the retransmission timer anew if it is to run.
     * @param pair the queue pair
     */
    void RestartTimer(RoceQueuePair& pair);

    /**
     * @brief Tell the sinks of a queue pair what has ended and arrived.
     * @param pair the queue pair
     */
    void Report(RoceQueuePair& pair);

    /**
     * @brief Take note that a queue pair has failed.
     * @param pair the queue pair
     */
    void NoteError(const RoceQueuePair& pair);

    /// Forget all queue pairs.
    void Clear();

    // From EthernetFrameSource
    bool TakeFrame(EthernetNetDevice& device, EthernetFrame& frame, FrameContext& context) override;
    bool HasFrame() const override;

    // From PausableClasses
    uint32_t GetNClasses() const override;
    void SetPaused(uint32_t index, bool paused) override;
    void SetDiscarding(uint32_t index, bool discarding) override;
    bool IsWaiting(uint32_t index) const override;
    uint64_t GetSent(uint32_t index) const override;

  protected:
    void DoDispose() override;

  private:
    /// A time in ns that is none.
    static constexpr double NEVER = -1;

    /// An answer or a notification that waits.
    struct Control
    {
        RocePacket packet;                  //!< its headers
        const RoceQueuePair* pair{nullptr}; //!< whose it is
    };

    /// A traffic class.
    struct Class
    {
        VectorFifo<Control> control;   //!< answers and notifications
        RoceQueuePair* first{nullptr}; //!< queue pairs whose turn comes, in order
        RoceQueuePair* last{nullptr};  //!< the last one of them
        uint64_t sent{0};              //!< packets that were sent
        double paused{0};              //!< time that it was paused before pausedSince, ns
        double pausedSince{NEVER};     //!< since when it is paused, ns; NEVER if it is not
    };

    /// A queue pair that waits for its time.
    struct Paced
    {
        double time;         //!< when, ns
        uint64_t order;      //!< in which order they came
        RoceQueuePair* pair; //!< the queue pair
    };

    /// Orders them by time.
    struct Earlier
    {
        /**
         * @brief Compare.
         * @param a one
         * @param b another one
         * @return whether a comes before b
         */
        bool operator()(const Paced& a, const Paced& b) const
        {
            return a.time != b.time ? a.time < b.time : a.order < b.order;
        }
    };

    /**
     * @brief Get how long a class was paused so far.
     * @param trafficClass the class
     * @param now the time in ns
     * @return ns
     */
    static double GetPaused(const Class& trafficClass, double now);

    /**
     * @brief Let a queue pair wait for its turn.
     * @param pair the queue pair
     * @param now the time in ns
     */
    void PushReady(RoceQueuePair& pair, double now);

    /**
     * @brief Take the next queue pair of a class.
     * @param index the class, which has one
     * @param now the time in ns
     * @return the queue pair
     */
    RoceQueuePair& PopReady(uint32_t index, double now);

    /**
     * @brief Let those wait for their turn whose time has come.
     * @param now the time in ns
     */
    void MovePaced(double now);

    /// Have Wake() called when the time of the next queue pair has come.
    void ArmWake();

    /// The time of a queue pair has come.
    void Wake();

    /**
     * @brief Take the next answer or notification.
     * @param [in,out] frame the frame
     * @return false if there is none that may be sent
     */
    bool TakeControl(EthernetFrame& frame);

    /**
     * @brief Take the next packet of data.
     * @param [in,out] frame the frame
     * @param [in,out] context its context
     * @return false if there is none that may be sent
     */
    bool TakeData(EthernetFrame& frame, FrameContext& context);

    /**
     * @brief Make a frame.
     * @param pair whose it is
     * @param packet its headers
     * @param dscp its differentiated services codepoint
     * @param [in,out] frame the frame
     */
    void Build(const RoceQueuePair& pair,
               const RocePacket& packet,
               uint8_t dscp,
               EthernetFrame& frame) const;

    /**
     * @brief Have HandleTimer() called.
     * @param pair the queue pair
     * @param deadline when, time steps
     */
    void ScheduleTimer(RoceQueuePair& pair, int64_t deadline);

    /**
     * @brief The retransmission timer of a queue pair may have expired.
     * @param pair the queue pair
     */
    void HandleTimer(RoceQueuePair* pair);

    /**
     * @brief Get when the retransmission timer expires.
     * @param pair the queue pair, which has one
     * @return the time, with the packets that are in flight now; in time steps
     */
    static int64_t GetDeadline(const RoceQueuePair& pair);

    Ptr<EthernetNetDevice> m_device;        //!< the port
    RoceNicSettings* m_settings{nullptr};   //!< what the adapter has set
    uint32_t m_address{0};                  //!< the IPv4 address
    uint32_t m_controlClasses{0};           //!< bits of classes with answers
    uint32_t m_dataClasses{0};              //!< bits of classes with queue pairs
    uint32_t m_pausedClasses{0};            //!< bits of classes that are paused
    uint32_t m_lastClass{0};                //!< the class that has sent data last
    std::array<Class, N_CLASSES> m_classes; //!< the classes
    ItemHeap<Paced, Earlier> m_paced;       //!< queue pairs that wait for their time
    uint64_t m_order{0};                    //!< counts what was put there
    EventId m_wake;                         //!< calls Wake()
    double m_wakeTime{NEVER};               //!< when, ns
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_PORT_H
