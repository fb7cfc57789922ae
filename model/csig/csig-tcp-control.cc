// SPDX-License-Identifier: GPL-2.0-only

#include "csig-tcp-control.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCsigTcpControl");

NS_OBJECT_ENSURE_REGISTERED(CsigTcpControl);

TypeId
CsigTcpControl::GetTypeId()
{
    using C = CsigTcpControl;
    static TypeId tid =
        TypeId("ns3::aidc::CsigTcpControl")
            .SetParent<TcpNewReno>()
            .SetGroupName("Aidc")
            .AddConstructor<CsigTcpControl>()
            .AddAttribute("TargetDelay",
                          "Target of max(PD).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&C::m_target),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Beta",
                          "Part of the excess delay by which the window is cut. Default of "
                          "SwiftControl.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&C::m_beta),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest part of the window that is cut at once. Default of "
                          "SwiftControl.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&C::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("MinWindow",
                          "Least window in segments. Default of FlooredDctcp.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&C::m_minWindow),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

CsigTcpControl::CsigTcpControl(const CsigTcpControl& other)
    : TcpNewReno(other),
      m_target(other.m_target),
      m_beta(other.m_beta),
      m_maxDecrease(other.m_maxDecrease),
      m_minWindow(other.m_minWindow)
{
}

void
CsigTcpControl::DoDispose()
{
    m_host = nullptr;
    TcpNewReno::DoDispose();
}

Ptr<TcpCongestionOps>
CsigTcpControl::Fork()
{
    return CopyObject<CsigTcpControl>(this);
}

void
CsigTcpControl::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t, const Time& rtt)
{
    const uint32_t node = Simulator::GetContext();
    if (!m_host && node < NodeList::GetNNodes())
    {
        m_host = NodeList::GetNode(node)->GetObject<CsigHost>();
        m_flow = m_host ? m_host->GetArrivingFlow() : m_flow;
    }
    if (!m_host)
    {
        return;
    }
    const auto signal = m_host->GetSignal(m_flow, CsigSignal::HOP_DELAY);
    const auto reading = signal ? m_host->GetDomain()->Read(signal->fields) : std::nullopt;
    m_delay = reading ? std::optional(NanoSeconds(static_cast<int64_t>(reading->GetValue())))
                      : std::nullopt;
    const Time now = Simulator::Now();
    const bool isOpen = tcb->m_congState == TcpSocketState::CA_OPEN ||
                        tcb->m_congState == TcpSocketState::CA_DISORDER;
    if (!isOpen || !m_delay || *m_delay < m_target || (m_lastCut && now < *m_lastCut + rtt))
    {
        return;
    }
    const double excess = 1 - m_target.GetSeconds() / m_delay->GetSeconds();
    const double rest = 1 - std::min(m_beta * excess, m_maxDecrease);
    const auto window = static_cast<uint32_t>(rest * tcb->m_cWnd.Get());
    const uint32_t least = m_minWindow * tcb->m_segmentSize;
    m_lastCut = now;
    tcb->m_cWnd = std::min(std::max(window, least), tcb->m_cWnd.Get());
    tcb->m_cWndInfl = tcb->m_cWnd;
    NS_LOG_LOGIC("Delay " << m_delay->As(Time::US) << ", window " << tcb->m_cWnd);
    tcb->m_ssThresh = tcb->m_cWnd;
}

void
CsigTcpControl::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (!m_delay || *m_delay < m_target)
    {
        TcpNewReno::IncreaseWindow(tcb, segmentsAcked);
    }
}

} // namespace ns3::aidc
