// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SHARED_BUFFER_SWITCH_HELPER_H
#define AIDC_SHARED_BUFFER_SWITCH_HELPER_H

#include "switch-chip.h"

#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc-container.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-port-queue-disc.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

class CoupledEcnQueueDisc;

/// Makes a node a shared-buffer switch.
///
/// It aggregates a SharedBuffer to the node, and gives each port a SwitchPortQueueDisc with a queue
/// for each class. It leaves one packet in the device's own queue, so that the queue disc is the
/// egress queue and its occupancy is right. Call it after the devices exist and InternetStackHelper
/// has run, and before addresses are assigned: Ipv4AddressHelper installs ns-3's default queue disc
/// where there is none. An existing queue disc is replaced.
///
/// If the Offset of a CoupledEcnQueueDisc is set neither here nor as a default of the user, it is
/// derived from the port's rate and the RTT, and so is its EcnFloor (DeriveEcnLevels). The RTT is
/// the queue disc's own; if this is 0, the RTT of SetRtt(). The default of SetRtt() is the RTT of
/// the longest path through this switch alone: four times the largest delay of its links.
///
/// Point-to-point and CSMA devices are supported, and other devices with a DataRate attribute (or
/// whose channels have DataRate and Delay): EthernetNetDevice, and ns-3's with a TxQueue attribute.
class SharedBufferSwitchHelper
{
  public:
    SharedBufferSwitchHelper();

    /// Give the switches the memory and scheduling of a chip.
    ///
    /// The chip sets what the calls below and the user's defaults leave: the SharedBuffer's cells,
    /// partitions and sizes; Alpha, Reserved and Cap of classes; Quantum, from its weights, of
    /// switches of eight classes; Kmin, Kmax, Pmax and MarkingPoint of CoupledEcnQueueDisc, whose
    /// Mode remains. PriorityFlowControlHelper then has its accounts as the chip has them.
    /// @param name the name or the file of a chip, see SwitchChip::Find()
    void SetChip(const std::string& name);

    /// Set an attribute of the SharedBuffer. @param name the name of the attribute
    /// @param value its value
    void SetBufferAttribute(const std::string& name, const AttributeValue& value);

    /// Set an attribute of the SwitchPortQueueDisc of every port.
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /// Set the number of classes per port, 8 by default.
    /// @param nClasses from 1 to 8; 0 makes the queue disc of class 0 the root, without a
    ///        SwitchPortQueueDisc above it, which is faster
    void SetNClasses(uint32_t nClasses);

    /// Set an attribute of a class, Quantum, or of its share of the buffer: Alpha, Reserved,
    /// Cap, Headroom.
    /// @param index the class, or ALL_CLASSES
    /// @param name the name of the attribute
    /// @param value its value
    void SetClassAttribute(uint32_t index, const std::string& name, const AttributeValue& value);

    /// Set the queue disc of a class.
    /// @param index the class, or ALL_CLASSES
    /// @param typeId its TypeId name, ns3::aidc::CoupledEcnQueueDisc by default; or the name of a
    ///        MarkingQueue. If it is one of aidc's queue discs, the port uses only its queue.
    void SetQueueDisc(uint32_t index, const std::string& typeId);

    /// Set an attribute of the queue disc of a class, after SetQueueDisc.
    /// @param index the class, or ALL_CLASSES
    /// @param name the name of the attribute
    /// @param value its value
    void SetQueueDiscAttribute(uint32_t index,
                               const std::string& name,
                               const AttributeValue& value);

    /// Set the round-trip time of the control loop, from which defaults are derived.
    /// @param rtt the RTT, 0 to derive it from the delays of the switch's links
    void SetRtt(Time rtt)
    {
        m_rtt = rtt;
    }

    /// Make a node a switch. Its ports are all of its devices that have a transmission queue.
    /// @return the root queue discs, in the order of the devices
    QueueDiscContainer Install(Ptr<Node> node) const;

    /// Make nodes switches. @return the root queue discs, in the order of nodes and devices
    QueueDiscContainer Install(const NodeContainer& nodes) const;

    /// Assign fixed random variable streams to the queue discs.
    ///
    /// With several processes (MpiProcesses), each one calls it at the same point. The numbers do
    /// not depend on how many processes there are if the queue discs are in the order of their
    /// nodes.
    /// @param queueDiscs the queue discs that Install() has returned
    /// @param stream the first stream number to use
    /// @return the number of stream numbers used, by all processes
    static int64_t AssignStreams(const QueueDiscContainer& queueDiscs, int64_t stream);

    /// Stands for every class.
    static constexpr uint32_t ALL_CLASSES = 0xffffffff;

  private:
    /// An attribute and its value.
    using Setting = std::pair<std::string, Ptr<const AttributeValue>>;

    /// The settings of a class.
    struct ClassSettings
    {
        ObjectFactory queueDisc;         //!< makes the queue disc
        std::vector<Setting> attributes; //!< of the class or its share of the buffer
        std::set<std::string> names;     //!< of the attributes of the queue disc that are set

        /// @return whether an attribute of the queue disc is set, and not to be derived
        bool Has(const std::string& name) const
        {
            return names.count(name) > 0;
        }
    };

    /// Make the queue of a class of a port. @return a queue disc or a MarkingQueue
    Ptr<Object> MakeQueue(const ClassSettings& settings, Ptr<NetDevice> device, Time rtt) const;

    /// Make the memory of a switch. @return the buffer
    Ptr<SharedBuffer> MakeBuffer() const;

    /// Give a queue the marking of the chip's configuration. settings: the class's.
    void SetChipMarking(const ClassSettings& settings, CoupledEcnQueueDisc& queue) const;

    /// Give a class and its share of the buffer the chip's values. index: the class
    void SetChipLimits(uint32_t index,
                       const Ptr<SwitchPortClass>& qdClass,
                       const Ptr<SharedBufferQueue>& share) const;

    /// Set the attributes of a class, null if there is none. share: its share of the buffer.
    static void SetAttributes(const ClassSettings& settings,
                              const Ptr<SwitchPortClass>& qdClass,
                              const Ptr<SharedBufferQueue>& share);

    /// Change the settings of one class or all.
    template <typename Change>
    void ForClasses(uint32_t index, Change change);

    /// Give a port its queue discs, with defaults derived from the RTT. @return the root queue disc
    Ptr<QueueDisc> InstallPort(Ptr<NetDevice> device, Time rtt) const;

    Ptr<SwitchChip> m_chip;               //!< the chip, null for none
    std::set<std::string> m_bufferNames;  //!< attributes of the buffer that are set
    ObjectFactory m_bufferFactory;        //!< makes the shared buffer
    ObjectFactory m_portFactory;          //!< makes the root queue disc
    std::vector<ClassSettings> m_classes; //!< the classes; all 8, of which m_nClasses are used
    uint32_t m_nClasses;                  //!< the number of classes
    Time m_rtt;                           //!< the RTT, 0 to derive it
};

} // namespace ns3::aidc

#endif // AIDC_SHARED_BUFFER_SWITCH_HELPER_H
