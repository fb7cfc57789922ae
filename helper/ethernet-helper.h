// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_HELPER_H
#define AIDC_ETHERNET_HELPER_H

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/trace-helper.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// A stream for rows of several nodes, which it writes in time order. Rows of the same
/// time are in the order of nodes, rows of a node in the order of Add().
///
/// TimeWindowSimulatorImpl runs nodes one after the other, so that time goes back between two nodes
/// by up to the lookahead. Rows are kept for this time; in ns-3's default simulator, until the next
/// instant with a row. Simulator::Destroy() writes the last rows.
class OrderedTraceStream : public SimpleRefCount<OrderedTraceStream>
{
  public:
    /// @param stream the stream to write to
    explicit OrderedTraceStream(Ptr<OutputStreamWrapper> stream)
        : m_stream(stream)
    {
    }

    /// @return the stream that is written to
    Ptr<OutputStreamWrapper> GetStream() const
    {
        return m_stream;
    }

    /// Add a row at the present time.
    /// @param node the ID of the node that writes
    /// @param row the row
    void Add(uint32_t node, const std::string& row);

  private:
    /// Write all rows.
    void Flush();

    /// Write the first row.
    void WriteFirst();

    Ptr<OutputStreamWrapper> m_stream; //!< the stream to write to
    /// The rows that are not written yet, by time and node.
    std::multimap<std::pair<Time, uint32_t>, std::string> m_rows;
    Time m_latest;             //!< the latest time of a row
    bool m_isScheduled{false}; //!< whether Simulator::Destroy() writes the last rows
};

/// Links nodes by EthernetNetDevices and EthernetChannels, and captures or logs their frames.
class EthernetHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    EthernetHelper();

    /// Set an attribute of the devices to make.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of the links to make.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// Link two nodes. @return the devices of a and b, in this order
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

    /// Link the two nodes of a container. @return their devices, in the same order
    NetDeviceContainer Install(const NodeContainer& nodes) const;

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;

    /// Log packets handed to the port ('+'), frames whose sending begins ('-') or that have arrived
    /// for the node ('r'), and drops ('d'). stream: only this helper's; null for a file of its own.
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    ObjectFactory m_deviceFactory;                  //!< makes devices
    ObjectFactory m_channelFactory;                 //!< makes links
    std::vector<Ptr<OrderedTraceStream>> m_streams; //!< the streams to which devices log
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_HELPER_H
