/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-receiver.h"

#include "../core/ethernet/mac-control.h"
#include "../simulator/event-clock.h"

#include "ns3/log.h"
#include "ns3/protocol-numbers.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetReceiver");

EthernetReceiver::EthernetReceiver(EthernetNetDevice& device,
                                   EthernetMac& mac,
                                   const EthernetTagger& tagger,
                                   const EthernetPortSettings& settings)
    : m_mac(mac),
      m_tagger(tagger),
      m_settings(settings),
      m_device(device)
{
}

Ptr<Packet>
EthernetReceiver::Take(EthernetFrame& frame, uint32_t epoch, Ptr<const Packet>& whole)
{
    if (!m_mac.IsAttached())
    {
        return nullptr; // disposed of
    }
    EthernetPortRecord& record = m_mac.GetRecord();
    if (m_mac.IsLost(epoch))
    {
        record.DropReceived(frame, &EthernetPortStatistics::inLost, "the link has failed");
        return nullptr;
    }
    const uint32_t size = frame.GetSize();
    if (m_settings.receiveErrorModel && m_settings.receiveErrorModel->IsCorrupt(frame.Write()))
    {
        record.DropReceived(frame, &EthernetPortStatistics::inErrors, "corrupted");
        return nullptr;
    }
    record.NotifyArrived(frame, whole);
    const EthernetFields& fields = frame.fields;
    if (size < EthernetFrame::MIN_SIZE || !frame.Read(m_tagger.GetKnownTags()) ||
        fields.etherType < MIN_ETHERTYPE || size - fields.GetSize() > m_mac.GetMtu())
    {
        record.DropReceived(frame, &EthernetPortStatistics::inErrors, "wrong size or header");
        return nullptr;
    }
    record.CountInOctets(size + EthernetMac::FCS_SIZE);
    if (fields.etherType == ETHERTYPE_MAC_CONTROL)
    {
        TakeControl(whole, frame);
        return nullptr;
    }
    if (!m_tagger.GetVlans().Includes(fields))
    {
        record.DropReceived(frame, &EthernetPortStatistics::inDiscards, "of another VLAN");
        return nullptr;
    }
    FrameContext context;
    context.arrival = GetTimeStepNow();
    context.ingressPort = m_index;
    context.priority = fields.nVlans > 0 ? fields.vlans[0].priority : FrameContext::NO_PRIORITY;
    context.tag = fields.tag;
    context.tagSize = fields.tagSize;
    if (!m_tagger.Accepts(frame, context))
    {
        record.DropReceived(frame, &EthernetPortStatistics::inDiscards, "refused for its tag");
        return nullptr;
    }
    const bool isForUs = IsSameAddress(fields.destination, m_mac.GetAddress());
    record.CountIn(fields.destination, !isForUs && !m_isPromiscuous);
    if (isForUs && m_settings.frameHandler &&
        m_settings.frameHandler->Handle(m_device, frame, context))
    {
        record.NotifyReceived(whole);
        return nullptr;
    }
    auto packet = frame.TakePayload();
    m_tagger.KeepContext(packet, context);
    return packet;
}

void
EthernetReceiver::TakeControl(const Ptr<const Packet>& whole, EthernetFrame& frame)
{
    // IEEE 802.3, clause 31: to the group of MAC control or to this station, and without tags.
    const EthernetFields& fields = frame.fields;
    const bool isForUs =
        fields.destination == MAC_CONTROL_ADDRESS || fields.destination == m_mac.GetAddress();
    EthernetPortRecord& record = m_mac.GetRecord();
    if (!m_settings.macControl || !isForUs || fields.nVlans > 0 || fields.tagSize > 0)
    {
        record.DropReceived(frame, &EthernetPortStatistics::inDiscards, "no such MAC control here");
        return;
    }
    const auto payload = frame.TakePayload();
    if (!m_settings.macControl->Receive(m_device, payload, fields))
    {
        frame.packet = payload;
        record.DropReceived(frame, &EthernetPortStatistics::inDiscards, "unknown MAC control");
        return;
    }
    // RFC 3635: those that no higher layer gets are no packets of the interface.
    NS_LOG_LOGIC("MAC control of " << payload->GetSize() << " bytes taken");
    record.NotifyReceived(whole);
}

} // namespace ns3::aidc
