// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_HOST_FLOWS_H
#define AIDC_CSIG_HOST_FLOWS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-flow-rule.h"
#include "../core/csig/csig-flow-table.h"
#include "../core/csig/csig-reflection.h"
#include "../core/csig/tcp-header-bytes.h"
#include "csig-domain.h"

#include "ns3/callback.h"
#include "ns3/csig-signal.h"
#include "ns3/ipv4-route.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The attributes of a CsigHost.
struct CsigHostSettings
{
    /// The layouts of the TCP option.
    enum OptionLayout
    {
        EXPERIMENTAL, //!< an experimental kind and an identifier
        DRAFT         //!< a kind of its own
    };

    /// Which of several tags of a type is reflected.
    enum Mode
    {
        LATEST, //!< the newest one
        SUMMARY //!< the worst: of a minimum the smallest, of a maximum the largest
    };

    CsigSignalSettings codes;                         //!< the type codes, which the domain has
    std::vector<CsigSignal> signals{CsigSignal::ABW}; //!< the signals to ask for in turn
    CsigFormat format{CsigFormat::COMPACT};           //!< the format of new tags
    Mode mode{LATEST};                                //!< what is reflected
    bool tagAcks{false};                     //!< whether TCP segments without data are tagged
    bool tagUdp{false};                      //!< whether datagrams are tagged
    bool authorizeAll{true};                 //!< whether flows without a rule are tagged
    uint32_t maxOffers{3};                   //!< how many SYNs of a connection carry the option
    uint32_t maxFlows{65536};                //!< how many flows are remembered
    Time flowTimeout;                        //!< the silence after which a flow may be forgotten
    double averageWeight{0.125};             //!< weight of a new signal in the average
    OptionLayout optionLayout{EXPERIMENTAL}; //!< the layout of the option
    uint8_t optionKind{253};                 //!< its kind in the experimental layout
    uint8_t draftOptionKind{252};            //!< its kind in the draft's layout
    uint16_t optionExId{CSIG_DEFAULT_EXID};  //!< its experiment identifier

    /// @return what identifies the TCP option
    TcpExperimentalOption GetOption() const
    {
        const bool hasExId = optionLayout == EXPERIMENTAL;
        return {hasExId ? optionKind : draftOptionKind, optionExId, hasExId};
    }
};

/// The counters of a CsigHost.
struct CsigHostStatistics
{
    uint64_t tagsSent{0};             //!< packets tagged
    uint64_t tagsReceived{0};         //!< packets that arrived with a tag
    uint64_t untaggedReceived{0};     //!< packets with data of a CSIG flow that arrived without one
    uint64_t reflectionsSent{0};      //!< with data fields
    uint64_t emptySent{0};            //!< without: packets came untagged
    uint64_t reflectionsReceived{0};  //!< with data fields
    uint64_t emptyReceived{0};        //!< without
    uint64_t noRoom{0};               //!< options put off because the header was full
    uint64_t overMtu{0};              //!< options put off because of the MTU
    uint64_t foreignTags{0};          //!< tags taken from packets of the transport (section 9)
    uint64_t malformedOptions{0};     //!< CSIG options of impossible content; removed
    uint64_t unexpectedOptions{0};    //!< CSIG options without an agreement; removed
    uint64_t malformedSegments{0};    //!< TCP segments of impossible lengths; dropped
    uint64_t corruptSegments{0};      //!< TCP segments of a wrong checksum; TCP drops them
    uint64_t malformedReflections{0}; //!< reflection headers that are too short
};

/// The trace sources of a CsigHost, each with the name of its member.
struct CsigHostTraces
{
    /// A trace source of tags and signals.
    using FieldsTrace = TracedCallback<const FlowKey&, const CsigFields&>;

    FieldsTrace signal;                                        //!< Signal
    FieldsTrace tag;                                           //!< Tag
    FieldsTrace tagSent;                                       //!< TagSent
    TracedCallback<const FlowKey&, CsigCapability> capability; //!< Capability
    TracedCallback<Ptr<const Packet>> drop;                    //!< Drop
};

/// The flows of a CsigHost: tags the packets that they send, remembers the tags that they receive,
/// and hands reflections to the flows' users. CsigTcpSegments and CsigUdpDatagrams find the flow of
/// a packet. Flows are local to remote.
class CsigHostFlows
{
  public:
    /// Takes the signals of a flow.
    using SignalSink = Callback<void, const FlowKey&, const CsigFields&>;

    /// Constructor. The host's settings and the requests for signals may change; they and the
    /// host's trace sources outlive this.
    CsigHostFlows(const CsigHostSettings& hostSettings,
                  const CsigRequestPlan& requestPlan,
                  const CsigHostTraces& traceSources);
    CsigHostFlows(const CsigHostFlows&) = delete;
    CsigHostFlows& operator=(const CsigHostFlows&) = delete;

    /// Find a flow, and note that it is in use. @return the flow, valid until the next Add(); null
    /// if it is not known
    CsigFlow* Find(const FlowKey& key);

    /// Find or add a flow, and note that it is in use. @return the flow, valid until the next Add()
    CsigFlow& Add(const FlowKey& key);

    /// Tag a packet if it may be tagged and a tag is due. packet: with its SocketIpTosTag if its
    /// DSCP is not 0; route: its route, may be null; flow: the state of the flow; it may be gone
    /// afterwards; end: the position of the packet's end; 0 if the transport has no positions.
    void TagPacket(Ptr<Packet> packet,
                   const Ptr<Ipv4Route>& route,
                   const FlowKey& key,
                   CsigFlow& flow,
                   uint32_t end);

    /// Note that a packet is sent again, without a tag. flow: the state of the flow; it may be gone
    /// afterwards; size: how many positions the packet takes; end: the position of its end.
    void NoteRepeat(const FlowKey& key, CsigFlow& flow, uint32_t size, uint32_t end);

    /// Remove a tag that the transport has left on a packet: only the host tags.
    void RemoveForeignTag(Ptr<Packet> packet);

    /// Remove the tag of a packet that has arrived, and count it. Otherwise an application that
    /// forwards the packet would send an old tag. @return its fields; none if it has no tag
    std::optional<CsigFields> TakeTag(Ptr<Packet> packet);

    /// Remember a packet that has arrived, until its tag is reflected. tag: the fields of its tag,
    /// if it had one.
    void NoteArrival(CsigFlow& flow, const std::optional<CsigFields>& tag);

    /// Remember a reflection, and hand it to the users. flow: the state of the flow; it may be gone
    /// afterwards; acknowledged: the position that it acknowledges, if the transport has positions.
    void NoteReflection(const FlowKey& key,
                        CsigFlow& flow,
                        const CsigReflection& reflection,
                        std::optional<uint32_t> acknowledged);

    /// Count a packet whose header is malformed, and trace that it is dropped. @return false
    bool Drop(Ptr<const Packet> packet);

    const CsigHostSettings& settings; //!< the host's settings
    const CsigHostTraces& traces;     //!< the host's trace sources
    CsigHostStatistics statistics;    //!< the host's statistics
    Ptr<CsigDomain> domain;          //!< decodes the values that are averaged; null for no averages
    CsigFlowTable table;             //!< the flows
    std::vector<CsigFlowRule> rules; //!< the authorized flows
    std::vector<Ptr<const NetDevice>> untaggedDevices; //!< by which no tags leave
    std::map<FlowKey, SignalSink> sinks;               //!< the user of each flow's signals

  private:
    /// @return whether a packet may be tagged. route: its route, may be null.
    bool MayTag(const Ptr<Packet>& packet, const Ptr<Ipv4Route>& route, const FlowKey& key) const;

    void UpdateAverage(CsigFlow& flow, const CsigFields& fields) const;

    /// Trace the capability of a flow's path if it has changed.
    void TraceCapability(const FlowKey& key, CsigCapability before, CsigCapability after) const;

    const CsigRequestPlan& m_plan; //!< the requests for signals
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_HOST_FLOWS_H
