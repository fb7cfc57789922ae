/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_HOST_H
#define AIDC_CSIG_HOST_H

#include "ns3/callback.h"
#include "ns3/csig-domain.h"
#include "ns3/csig-fields.h"
#include "ns3/csig-flow-rule.h"
#include "ns3/csig-flow-table.h"
#include "ns3/csig-host-statistics.h"
#include "ns3/csig-l4-protocol.h"
#include "ns3/csig-reflection.h"
#include "ns3/csig-segment-options.h"
#include "ns3/csig-signal.h"
#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
class Ipv4Header;
class Ipv4Route;
class Node;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief CSIG on a host: tags what it sends, reflects what it receives, and hands to its users what
 *        is reflected to it (sections 4.2 to 4.4 and 6.3 of draft-ravi-ippm-csig-01).
 *
 * It stands between IPv4 and TCP and UDP, which know nothing of it, as a network adapter does that
 * does the work for them:
 * - TCP: SYN and SYN and ACK carry the option without data and so agree on CSIG. From then on
 *   segments with data are tagged, and every segment that leaves reflects what is news, if the
 *   option finds room in the header and the segment stays within the MTU; else a later one does. On
 *   arrival the option is taken out again.
 * - UDP: with TagUdp, datagrams are tagged; the application puts the reflection into its payload
 *   (AddReflection, RemoveReflection).
 *
 * A host is the sender of what leaves it and the receiver of what arrives, of the same flow, too.
 * Flows are named by the key of what this host sends: local to remote. IPv6 passes unchanged.
 *
 * Segments have to leave room for the option, or data that travels in both directions would leave
 * none: see CsigHostHelper::GetSegmentSize. ns-3's TCP neither sends nor reads the MSS option, so
 * that it is of no use to change it.
 */
class CsigHost : public Object
{
  public:
    /// The formats of a tag.
    enum Format
    {
        COMPACT, //!< 2 bytes of data fields
        EXPANDED //!< 6 bytes of data fields
    };

    /// The layouts of the TCP option.
    enum OptionLayout
    {
        EXPERIMENTAL, //!< an experimental kind and an identifier
        DRAFT         //!< a kind of its own
    };

    /// What is reflected of several tags of a type.
    enum Mode
    {
        LATEST, //!< the newest
        SUMMARY //!< the worst: of a minimum the smallest, of a maximum the largest
    };

    /// Takes the signals of a flow.
    using SignalSink = Callback<void, const FlowKey&, const CsigFields&>;

    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    CsigHost();
    ~CsigHost() override;

    /**
     * @brief Step between IPv4 and its transports, and join the node.
     * @param node the host; it has IPv4 with TCP or UDP, and no CsigHost yet
     */
    void Install(Ptr<Node> node);

    /**
     * @brief Set the signals to ask for in turn.
     * @param names their names (GetCsigName), separated by commas
     * @return whether each is a signal; if not, nothing is changed
     */
    bool SetSignals(const std::string& names);

    /**
     * @brief Get the signals that are asked for.
     * @return their names, separated by commas
     */
    std::string GetSignals() const;

    /**
     * @brief Set what the whole network has in common. By default all is as in a new CsigDomain.
     * @param domain its settings, which must not change any more; an error in them ends the program
     */
    void SetDomain(Ptr<CsigDomain> domain);

    /**
     * @brief Get what the whole network has in common, with which values are decoded.
     * @return its settings
     */
    Ptr<CsigDomain> GetDomain() const;

    /**
     * @brief Authorize flows to be tagged, beside those of earlier rules (section 9).
     *
     * Without the attribute AuthorizeAll, only what fits a rule is tagged.
     *
     * @param rule the flows
     */
    void Authorize(const CsigFlowRule& rule);

    /**
     * @brief Never tag what leaves by a device: the other end drops tagged packets, or is outside
     *        the domain (sections 6.3.1 and 6.3.2).
     * @param device the device
     */
    void LeaveUntagged(Ptr<const NetDevice> device);

    /**
     * @brief Hand the signals of a flow to a user, from now on. Another one gets them no longer.
     * @param flow the flow, local to remote
     * @param sink the user; a null callback ends it
     */
    void SetSink(const FlowKey& flow, SignalSink sink);

    /**
     * @brief Get the newest signal of a flow.
     * @param flow the flow, local to remote
     * @param signal the signal
     * @return fields and time; none if none has been reflected, or the flow is forgotten
     */
    std::optional<CsigRequester::Signal> GetSignal(const FlowKey& flow, CsigSignal signal) const;

    /**
     * @brief Get the average of what has come back of a flow, over a longer time than that of the
     *        devices: exponentially weighted, packet by packet (section 5.3.2).
     * @param flow the flow, local to remote
     * @param signal the signal
     * @return the average of CsigReading::GetValue(), in the signal's unit, of the tags into which
     *         some device has put its value; none if there is none, or the flow is forgotten
     */
    std::optional<double> GetAverage(const FlowKey& flow, CsigSignal signal) const;

    /**
     * @brief Get the flow of the TCP segment that has arrived last.
     *
     * TCP gets the segment at once: it is the connection of the congestion control that asks.
     *
     * @return the flow, local to remote
     */
    const FlowKey& GetArrivingFlow() const;

    /**
     * @brief Get what is known of a flow's path.
     * @param flow the flow, local to remote
     * @return that
     */
    CsigCapability GetCapability(const FlowKey& flow) const;

    /**
     * @brief Get what is known of a flow's path as to a signal: devices may strip the tags of those
     *        that they do not support (section 6.3.2).
     * @param flow the flow, local to remote
     * @param signal the signal
     * @return that
     */
    CsigCapability GetCapability(const FlowKey& flow, CsigSignal signal) const;

    /**
     * @brief Say whether both ends of a TCP connection use CSIG.
     * @param flow the connection, local to remote
     * @return whether they have agreed
     */
    bool IsAgreed(const FlowKey& flow) const;

    /**
     * @brief Put the reflection header before the payload of a datagram (section 4.2.2).
     * @param payload the payload
     * @param flow the flow that the datagram belongs to, local to remote
     */
    void AddReflection(Ptr<Packet> payload, const FlowKey& flow);

    /**
     * @brief Take the reflection header from the payload of a datagram, and what it says.
     * @param payload the payload, which begins with the header
     * @param flow the flow of what this host sends to the datagram's sender, local to remote
     * @return whether there was one; if not, the payload is as it was
     */
    bool RemoveReflection(Ptr<Packet> payload, const FlowKey& flow);

    /**
     * @brief Get the statistics.
     * @return the statistics
     */
    const CsigHostStatistics& GetStatistics() const;

    /**
     * @brief Get the number of flows that are remembered.
     * @return that
     */
    uint32_t GetNFlows() const;

    /**
     * @brief Get the flows that are remembered.
     * @return the flows, local to remote, in the order of their keys
     */
    std::vector<FlowKey> GetFlows() const;

    /**
     * @brief Get how many flows were forgotten for lack of room.
     * @return that
     */
    uint64_t GetNEvictions() const;

    /**
     * @brief Signature of the trace sources Signal, Tag and TagSent.
     * @param flow the flow, local to remote
     * @param fields the data fields
     */
    typedef void (*FieldsTracedCallback)(const FlowKey& flow, const CsigFields& fields);

    /**
     * @brief Signature of the trace source Capability.
     * @param flow the flow, local to remote
     * @param capability what is known of its path now
     */
    typedef void (*CapabilityTracedCallback)(const FlowKey& flow, CsigCapability capability);

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Process a TCP segment that leaves; a CsigL4Protocol::SendHook.
     * @param segment the segment
     * @param source its source
     * @param destination its destination
     * @param route its route, may be null
     */
    void SendSegment(Ptr<Packet> segment,
                     const Ipv4Address& source,
                     const Ipv4Address& destination,
                     const Ptr<Ipv4Route>& route);

    /**
     * @brief Process a TCP segment that arrives; a CsigL4Protocol::ReceiveHook.
     * @param segment the segment
     * @param ipHeader its IP header
     * @return whether TCP gets it
     */
    bool ReceiveSegment(Ptr<Packet> segment, const Ipv4Header& ipHeader);

    /**
     * @brief Process a UDP datagram that leaves; a CsigL4Protocol::SendHook.
     * @param datagram the datagram
     * @param source its source
     * @param destination its destination
     * @param route its route, may be null
     */
    void SendDatagram(Ptr<Packet> datagram,
                      const Ipv4Address& source,
                      const Ipv4Address& destination,
                      const Ptr<Ipv4Route>& route);

    /**
     * @brief Process a UDP datagram that arrives; a CsigL4Protocol::ReceiveHook.
     * @param datagram the datagram
     * @param ipHeader its IP header
     * @return true
     */
    bool ReceiveDatagram(Ptr<Packet> datagram, const Ipv4Header& ipHeader);

    /**
     * @brief Let a SYN that leaves offer or accept CSIG.
     * @param segment the SYN
     * @param header its header
     * @param key the flow
     * @param route its route, may be null
     */
    void SendSyn(Ptr<Packet> segment,
                 TcpHeaderBytes& header,
                 const FlowKey& key,
                 const Ptr<Ipv4Route>& route);

    /**
     * @brief Take a SYN that arrives.
     * @param key the flow, local to remote
     * @param isAnswer whether it has an ACK, too
     * @param hasOption whether it offers or accepts CSIG
     */
    void ReceiveSyn(const FlowKey& key, bool isAnswer, bool hasOption);

    /**
     * @brief Tag a packet if it is its turn.
     * @param packet the packet
     * @param route its route, may be null
     * @param key the flow
     * @param flow what is known of it; it may be gone afterwards
     * @param end the position of the packet's end, if the transport has positions
     */
    void TagPacket(Ptr<Packet> packet,
                   const Ptr<Ipv4Route>& route,
                   const FlowKey& key,
                   CsigFlow& flow,
                   uint32_t end);

    /**
     * @brief Trace what is known of a flow's path if it has changed.
     * @param key the flow
     * @param before what was known
     * @param after what is known now
     */
    void TraceCapability(const FlowKey& key, CsigCapability before, CsigCapability after);

    /**
     * @brief Take away a tag that the transport has left on a packet: only this host tags.
     * @param packet the packet
     */
    void RemoveForeignTag(Ptr<Packet> packet);

    /**
     * @brief Check whether a packet may be tagged.
     * @param packet the packet, with its SocketIpTosTag if its DSCP is not 0
     * @param flow its flow
     * @return whether it may
     */
    bool IsAuthorized(Ptr<const Packet> packet, const FlowKey& flow) const;

    /**
     * @brief Remember a packet that has arrived.
     * @param flow the flow
     * @param tag the fields of its tag, if it has one
     */
    void NoteArrival(CsigFlow& flow, const std::optional<CsigFields>& tag);

    /**
     * @brief Remember what has been reflected, and tell the users.
     * @param key the flow
     * @param flow what is known of it; it may be gone afterwards
     * @param reflection the reflection
     * @param acknowledged the position that it acknowledges, if the transport has positions
     */
    void NoteReflection(const FlowKey& key,
                        CsigFlow& flow,
                        const CsigReflection& reflection,
                        std::optional<uint32_t> acknowledged);

    /**
     * @brief Take the tag off a packet that has arrived, and count it. If it stayed, an
     *        application that sends the packet on would send an old tag.
     * @param packet the packet
     * @return its fields; none if it has no tag
     */
    std::optional<CsigFields> TakeTag(Ptr<Packet> packet);

    /**
     * @brief Set an attribute, for the next packet on.
     * @tparam Member the member that holds the attribute
     * @tparam T the attribute's type
     * @param value the new value
     */
    template <auto Member, typename T>
    void Set(T value);

    /**
     * @brief Get an attribute.
     * @tparam Member the member that holds the attribute
     * @tparam T the attribute's type
     * @return its value
     */
    template <auto Member, typename T>
    T Get() const;

    /**
     * @brief Take what has been reflected into the average.
     * @param flow what is known of the flow
     * @param fields what has been reflected
     */
    void NoteValue(CsigFlow& flow, const CsigFields& fields) const;

    /**
     * @brief Set the format.
     * @param format the format
     * @return whether all signals can be asked for in it; if not, nothing is changed
     */
    bool SetFormat(Format format);

    /**
     * @brief Get the format.
     * @return the format
     */
    Format GetFormat() const;

    /// Check that the signals to ask for are on, and have types that fit the format; throws
    /// std::invalid_argument if one has not.
    void CheckSignals() const;

    /// Derive from the attributes what the next packet goes by.
    void Derive();

    Ptr<CsigDomain> m_domain;                           //!< what the network has in common
    CsigSignalConfig m_config;                          //!< the type codes
    std::vector<CsigSignal> m_signals{CsigSignal::ABW}; //!< the signals to ask for
    Format m_format{COMPACT};                           //!< the format of tags
    Mode m_mode{LATEST};                                //!< what is reflected
    bool m_tagAcks{false};                     //!< whether segments without data are tagged
    bool m_tagUdp{false};                      //!< whether datagrams are tagged
    bool m_authorizeAll{true};                 //!< whether rules are needed
    uint32_t m_maxOffers{3};                   //!< how many SYNs have the option
    uint32_t m_maxFlows{65536};                //!< how many flows are remembered
    Time m_flowTimeout;                        //!< after which silence no longer
    uint32_t m_period{1};                      //!< every how many packets one is tagged
    uint32_t m_patience{3};                    //!< after how many lost tags in a row to stop
    Time m_retryInterval;                      //!< after how long to try a path again
    Time m_reflectionDelay;                    //!< how late an answer may be
    OptionLayout m_optionLayout{EXPERIMENTAL}; //!< the layout of the option
    uint8_t m_optionKind{253};                 //!< the kind of the option
    uint8_t m_draftOptionKind{252};            //!< its kind in the draft's layout
    double m_averageWeight{0.125};             //!< of a new signal in the average
    uint16_t m_optionExId{CSIG_DEFAULT_EXID};  //!< its experiment identifier
    std::vector<CsigFlowRule> m_rules;         //!< the authorized flows
    std::vector<Ptr<const NetDevice>> m_untaggedDevices; //!< by which no tags leave
    CsigRequestPlan m_plan;                              //!< what to ask for
    std::array<CsigFields, 16> m_requests{};             //!< by type, the fields of a new tag
    std::array<CsigSummary, 16> m_summaries{};           //!< by type, what is reflected
    CsigFlowTable m_flows;                               //!< the flows
    FlowKey m_arriving;                                  //!< that of the last TCP segment
    std::map<FlowKey, SignalSink> m_sinks;               //!< who gets the signals of a flow
    CsigHostStatistics m_statistics;                     //!< the statistics
    CsigSegmentOptions m_options{m_statistics};          //!< puts the option into segments
    std::vector<Ptr<CsigL4Protocol>> m_layers;           //!< stand below TCP and UDP
    TracedCallback<const FlowKey&, const CsigFields&> m_signalTrace;  //!< signals
    TracedCallback<const FlowKey&, const CsigFields&> m_tagTrace;     //!< tags
    TracedCallback<const FlowKey&, const CsigFields&> m_tagSentTrace; //!< tags of its own
    TracedCallback<const FlowKey&, CsigCapability> m_capabilityTrace; //!< paths
    TracedCallback<Ptr<const Packet>> m_dropTrace;                    //!< malformed segments
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_H
