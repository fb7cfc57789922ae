/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_HELPER_H
#define AIDC_ETHERNET_HELPER_H

#include "ordered-trace-stream.h"

#include "ns3/attribute.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Links nodes by EthernetNetDevices and EthernetChannels, and captures or logs their frames.
 *
 * A link between nodes of two processes of a parallel simulation is a remote one.
 */
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

    /// Log what happens at a device. Packets that are handed to the port are marked '+', frames
    /// whose transmission begins '-', frames that have arrived for the node 'r', and drops in
    /// either direction 'd'. A stream of several devices is used by this helper only, and is an
    /// OrderedTraceStream. stream: the stream; null for a separate file of the device.
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    ObjectFactory m_deviceFactory;                  //!< makes devices
    ObjectFactory m_channelFactory;                 //!< makes links within a process
    ObjectFactory m_remoteFactory;                  //!< makes links between processes
    std::vector<Ptr<OrderedTraceStream>> m_streams; //!< the streams to which devices log
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_HELPER_H
