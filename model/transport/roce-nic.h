/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_NIC_H
#define AIDC_ROCE_NIC_H

#include "congestion-control.h"
#include "roce-nic-port.h"
#include "roce-nic-settings.h"
#include "roce-nic-statistics.h"
#include "roce-queue-pair.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/ethernet-port-hooks.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/roce-memory-regions.h"
#include "ns3/roce-work.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A host's network adapter for RoCEv2: queue pairs of reliable connections over its Ethernet
 *        ports (InfiniBand Architecture Specification, volume 1, chapter 9 and annex A17).
 *
 * It takes packets to UDP port 4791 from the ports before ns-3's stack does, and makes packets when
 * a port is idle. All else on the ports is the stack's, which needs not be there.
 *
 * A queue pair is known by its number. It is made (Create()), tied to its peer's (Connect()), and
 * given work requests (Post()). What ends and what arrives is told to the sinks of the queue pair.
 */
class RoceNic : public EthernetFrameHandler
{
  public:
    /// The number of the first queue pair; 0 and 1 are for management.
    static constexpr uint32_t FIRST_QP = 2;

    /// How what is lost is sent again; see RoceRecovery.
    enum Recovery
    {
        GO_BACK_N,       //!< RoceRecovery::GO_BACK_N
        SELECTIVE_REPEAT //!< RoceRecovery::SELECTIVE_REPEAT
    };

    /// The value of attribute AckTimeout that has both timeouts derived.
    static constexpr uint8_t DERIVED_TIMEOUT = 32;

    /// The partition of all.
    static constexpr uint16_t DEFAULT_PARTITION = 0xffff;

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    RoceNic();
    ~RoceNic() override;

    /**
     * @brief Join a node, which has no RoceNic yet.
     * @param node the node
     */
    void Install(Ptr<Node> node);

    /**
     * @brief Serve a port of the node.
     * @param device the port
     * @param address its IPv4 address
     */
    void AddPort(Ptr<EthernetNetDevice> device, Ipv4Address address);

    /**
     * @brief Get the number of ports.
     * @return the number
     */
    uint32_t GetNPorts() const;

    /**
     * @brief Get a port.
     * @param i its place in the order of AddPort()
     * @return the port
     */
    Ptr<RoceNicPort> GetPort(uint32_t i) const;

    /**
     * @brief Get the address of a port.
     * @param i its place in the order of AddPort()
     * @return the address
     */
    Ipv4Address GetAddress(uint32_t i = 0) const;

    /**
     * @brief Make a queue pair. It goes to the ports in turn.
     * @return its number
     */
    uint32_t Create();

    /**
     * @brief Make a queue pair at a port.
     * @param port the port's place in the order of AddPort()
     * @return its number
     */
    uint32_t CreateAt(uint32_t port);

    /**
     * @brief Get the port of a queue pair.
     * @param qp its number
     * @return the port's place in the order of AddPort()
     */
    uint32_t GetPortOf(uint32_t qp) const;

    /**
     * @brief Tie a queue pair to its peer's, which has to be tied to this one, too.
     * @param qp its number
     * @param remote the address of the peer's port
     * @param remoteQp the number of the peer's queue pair
     * @param path what is known of the way to it, for congestion controls and timeouts
     */
    void Connect(uint32_t qp,
                 Ipv4Address remote,
                 uint32_t remoteQp,
                 const RocePath& path = RocePath());

    /// The names of attributes of which the user was warned.
    using Warned = std::set<std::string>;

    /**
     * @brief Warn once together with other adapters.
     * @param warned what they have warned of
     */
    void ShareWarned(std::shared_ptr<Warned> warned);

    /**
     * @brief Set the packet sequence numbers of a queue pair that is not connected yet; 0
     * otherwise.
     * @param qp its number
     * @param firstPsn the number of its first packet
     * @param remotePsn the number of the peer's first packet
     */
    void SetFirstPsn(uint32_t qp, uint32_t firstPsn, uint32_t remotePsn);

    /**
     * @brief Add a work request.
     *
     * If the queue pair has failed it ends at once, flushed. A request to write or read without a
     * key is for all of the peer's memory.
     *
     * @param qp the number of the queue pair, which is connected
     * @param work the request
     */
    void Post(uint32_t qp, const RoceWork& work);

    /**
     * @brief Have a queue pair count its receive requests, and post some. Before, there always is
     *        one.
     * @param qp the number of the queue pair, which is connected
     * @param n how many are added
     */
    void PostReceive(uint32_t qp, uint32_t n);

    /**
     * @brief Register memory that peers may access with its key only.
     * @param address where it begins
     * @param nBytes its size
     * @return the key; 1 is that of all memory
     */
    uint32_t RegisterMemory(uint64_t address, uint64_t nBytes);

    /**
     * @brief Set who is told what has ended.
     * @param qp the number of the queue pair, which is connected
     * @param sink who
     */
    void SetCompletionSink(uint32_t qp, RoceQueuePair::CompletionSink sink);

    /**
     * @brief Set who is told what has arrived.
     * @param qp the number of the queue pair, which is connected
     * @param sink who
     */
    void SetDeliverySink(uint32_t qp, RoceQueuePair::DeliverySink sink);

    /**
     * @brief Forget all queue pairs, as an adapter does that restarts. Work requests that have not
     *        ended are told to nobody, and packets for them are dropped.
     */
    void Restart();

    /**
     * @brief Get the congestion control of a queue pair.
     * @param qp the number of the queue pair, which is connected
     * @return the congestion control
     */
    Ptr<CongestionControl> GetCongestionControl(uint32_t qp) const;

    /**
     * @brief Get how long a queue pair could not send what it had.
     * @param qp the number of the queue pair, which is connected
     * @return the times, by cause
     */
    const RoceWaitTimes& GetWaitTimes(uint32_t qp) const;

    /**
     * @brief Tell whether a queue pair has failed: its work requests are flushed, and those of the
     *        peer are not answered.
     * @param qp the number of the queue pair, which is connected
     * @return whether it has
     */
    bool HasFailed(uint32_t qp) const;

    /**
     * @brief Get the number of queue pairs.
     * @return the number
     */
    uint32_t GetNQueuePairs() const;

    /**
     * @brief Get what is counted.
     * @return the statistics
     */
    const RoceNicStatistics& GetStatistics() const;

    // From EthernetFrameHandler
    bool Handle(EthernetNetDevice& device,
                EthernetFrame& frame,
                const FrameContext& context) override;

    /**
     * @brief TracedCallback signature of retransmissions.
     * @param [in] qp the number of the queue pair
     * @param [in] psn the first packet that is sent again
     * @param [in] isTimeout whether the timer has said so, and not the peer
     */
    typedef void (*RetransmissionTracedCallback)(uint32_t qp, uint32_t psn, bool isTimeout);

    /**
     * @brief TracedCallback signature of pauses.
     * @param [in] device the index of the port's device
     * @param [in] trafficClass the class
     * @param [in] isPaused whether it is paused from now on
     */
    typedef void (*PauseTracedCallback)(uint32_t device, uint32_t trafficClass, bool isPaused);

    /**
     * @brief TracedCallback signature of rates.
     * @param [in] qp the number of the queue pair
     * @param [in] rate bit/s on the wire
     */
    typedef void (*RateTracedCallback)(uint32_t qp, uint64_t rate);

    /**
     * @brief TracedCallback signature of the states of queue pairs.
     * @param [in] qp the number of the queue pair
     * @param [in] state its state from now on
     */
    typedef void (*StateTracedCallback)(uint32_t qp, RoceQpState state);

    /**
     * @brief TracedCallback signature of packets that arrive.
     * @param [in] qp the number of the queue pair
     * @param [in] packet the headers
     */
    typedef void (*PacketTracedCallback)(uint32_t qp, const RocePacket& packet);

    /**
     * @brief TracedCallback signature of the ends of work requests.
     * @param [in] qp the number of the queue pair
     * @param [in] completion what has ended, and how
     */
    typedef void (*CompletionTracedCallback)(uint32_t qp, const RoceCompletion& completion);

  protected:
    void DoDispose() override;

  private:
    /// A queue pair and what is known of it before it is connected.
    struct Entry
    {
        uint32_t port{0};                    //!< its port's place
        uint32_t firstPsn{0};                //!< SetFirstPsn()
        uint32_t remotePsn{0};               //!< SetFirstPsn()
        std::unique_ptr<RoceQueuePair> pair; //!< the queue pair, null until it is connected
    };

    /// What is known of a device.
    struct Served
    {
        RoceNicPort* port{nullptr};     //!< its port
        Ptr<EthernetFrameHandler> next; //!< takes what is not RoCEv2, before the stack does
    };

    /**
     * @brief Get a queue pair.
     * @param qp its number
     * @return the queue pair; the program ends if there is none that is connected
     */
    RoceQueuePair& Get(uint32_t qp) const;

    /**
     * @brief Get what is known of a queue pair.
     * @param qp its number
     * @return that; the program ends if there is none
     */
    Entry& GetEntry(uint32_t qp);

    /**
     * @brief Get the port of a queue pair.
     * @param pair the queue pair
     * @return the port
     */
    RoceNicPort& GetPortOf(const RoceQueuePair& pair) const;

    /**
     * @brief Take a frame if it is RoCEv2 for this adapter.
     * @param port the port
     * @param [in,out] frame the frame; without packet if it was taken
     * @param context what is known of the frame
     * @return whether it was taken
     */
    bool TakeFrame(const RoceNicPort& port, EthernetFrame& frame, const FrameContext& context);

    /**
     * @brief Read a packet to UDP port 4791.
     * @param payload what follows the IPv4 header
     * @param header the IPv4 header
     * @param isVerified whether the invariant CRC is to be verified
     * @param [out] packet the headers
     * @return false if the packet is to be dropped, which is counted
     */
    bool Read(const Packet& payload,
              const TransitHeader& header,
              bool isVerified,
              RocePacket& packet);

    /**
     * @brief Take a packet.
     * @param pair whose it is
     * @param packet its headers
     * @param tos the second byte of its IPv4 header
     * @param nHops the routers that it has passed
     * @param context what is known of its frame
     */
    void Take(RoceQueuePair& pair,
              const RocePacket& packet,
              uint8_t tos,
              uint32_t nHops,
              const FrameContext& context);

    /**
     * @brief Take an answer.
     * @param pair whose it is
     * @param packet its headers
     * @param nHops the routers that it has passed
     */
    void TakeAnswer(RoceQueuePair& pair, const RocePacket& packet, uint32_t nHops);

    /**
     * @brief Take a request.
     * @param pair whose it is
     * @param packet its headers
     */
    void TakeRequest(RoceQueuePair& pair, const RocePacket& packet);

    /**
     * @brief Take note of a mark.
     * @param pair whose packet was marked
     */
    void TakeMark(RoceQueuePair& pair);

    /**
     * @brief Send an answer or a notification.
     * @param pair whose it is
     * @param packet its headers
     * @param delay how long that takes
     */
    void SendControl(RoceQueuePair& pair, const RocePacket& packet, Time delay);

    /**
     * @brief Add a work request, after the time that that takes.
     * @param pair the queue pair
     * @param work the request
     */
    void Begin(RoceQueuePair* pair, const RoceWork& work);

    /**
     * @brief The time of a receiver that was not ready is over.
     * @param pair the queue pair
     */
    void Resume(RoceQueuePair* pair);

    /// Forget all queue pairs, without a word.
    void Forget();

    /**
     * @brief Collect what the timeouts of a queue pair are computed from.
     * @param connection what is fixed of the queue pair
     * @param path what is known of the path
     * @return that
     */
    RoceTimeout::Config MakeTimeoutConfig(const RoceConnection& connection,
                                          const RocePath& path) const;

    /**
     * @brief Warn of a timeout that the path may exceed, once.
     * @param attribute its attribute
     * @param set what the user has set, ns
     * @param derived what it would be otherwise, ns
     */
    void WarnIfBelow(const std::string& attribute, int64_t set, int64_t derived) const;

    /// Give the ports what the attributes say.
    void UpdateCommon();

    /**
     * @brief Set the classes of DSCPs.
     * @param map the text
     * @return false if it is none
     */
    bool SetDscpMap(std::string map);

    /**
     * @brief Get the classes of DSCPs.
     * @return the text
     */
    std::string GetDscpMap() const;

    uint32_t m_pathMtu{4096};                             //!< attribute PathMtu
    uint32_t m_ackInterval{16};                           //!< attribute AckInterval
    uint32_t m_maxPackets{4096};                          //!< attribute MaxPackets
    Recovery m_recovery{GO_BACK_N};                       //!< attribute Recovery
    uint32_t m_reorderWindow{0};                          //!< attribute ReorderWindow
    uint8_t m_ackTimeout{DERIVED_TIMEOUT};                //!< attribute AckTimeout
    Time m_lowTimeout;                                    //!< attribute LowTimeout
    uint32_t m_lowPackets{3};                             //!< attribute LowTimeoutPackets
    uint8_t m_retryCount{7};                              //!< attribute RetryCount
    uint8_t m_rnrRetry{7};                                //!< attribute RnrRetry
    uint8_t m_rnrTimer{12};                               //!< attribute RnrTimer
    uint8_t m_dscp{26};                                   //!< attribute Dscp
    uint8_t m_cnpDscp{48};                                //!< attribute CnpDscp
    uint8_t m_timeToLive{64};                             //!< attribute TimeToLive
    ObjectFactory m_control;                              //!< attribute CongestionControl
    Time m_cnpInterval;                                   //!< attribute CnpInterval
    Time m_cnpDelay;                                      //!< attribute CnpDelay
    Time m_ackDelay;                                      //!< attribute AckDelay
    Time m_messageDelay;                                  //!< attribute MessageDelay
    bool m_isVerified{false};                             //!< attribute VerifyInvariantCrc
    Ptr<PathSignals> m_signals;                           //!< attribute Signals
    RoceNicSettings m_common;                             //!< what the ports share
    uint32_t m_nextPort{0};                               //!< the port of the next queue pair
    RoceMemoryRegions m_regions;                          //!< the memory that peers may access
    std::vector<Ptr<RoceNicPort>> m_ports;                //!< the ports
    std::vector<Served> m_served;                         //!< the same, by index of the device
    std::vector<Entry> m_pairs;                           //!< the queue pairs, from FIRST_QP on
    std::vector<std::unique_ptr<RoceQueuePair>> m_former; //!< those before Restart()
    std::shared_ptr<Warned> m_warned;                     //!< ShareWarned()

    TracedCallback<uint32_t, uint32_t, bool> m_retransmissionTrace;    //!< trace Retransmission
    TracedCallback<uint32_t, uint32_t, bool> m_pauseTrace;             //!< trace Pause
    TracedCallback<uint32_t, uint64_t> m_rateTrace;                    //!< trace Rate
    TracedCallback<uint32_t, RoceQpState> m_stateTrace;                //!< trace State
    TracedCallback<uint32_t, const RocePacket&> m_rxTrace;             //!< trace Rx
    TracedCallback<uint32_t, const RoceCompletion&> m_completionTrace; //!< trace Completion
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_NIC_H
