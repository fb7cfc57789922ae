// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_INGRESS_POOL_H
#define AIDC_INGRESS_POOL_H

#include "buffer-pool.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// The memory that one ingress port and priority may use before its peer is paused.
struct IngressLimits
{
    /// Factor of the dynamic threshold at which the peer is paused, > 0.
    double xoffAlpha{1.0};
    /// Bytes set aside for this account alone.
    uint64_t reserved{0};
    /// Bytes set aside for packets that arrive after the peer was paused; 0 if it is never paused.
    uint64_t headroom{0};
    /// Bytes below the threshold at which the peer is resumed.
    uint64_t xonOffset{0};
    /// Bytes at which the peer is resumed in any case, as long as XOFF is above it.
    uint64_t xon{0};
};

/// The signal to send to the peer.
enum class PauseSignal : uint8_t
{
    NONE, //!< nothing
    XOFF, //!< pause
    XON,  //!< resume
};

/// The outcome of the admission of an arriving packet, and the signal to the peer.
struct IngressOutcome
{
    Admission admission{Admission::ADMITTED}; //!< where the packet went
    PauseSignal signal{PauseSignal::NONE};    //!< XOFF or nothing
};

/// The accounts of the ingress ports and priorities of a switch: each counts the bytes that
/// arrived there and are still in the switch.
///
/// Each account is a queue of the switch's BufferPool. So lossless traffic, which is charged at its
/// ingress, and lossy traffic, which is charged at its egress, share the same memory, and no byte
/// is counted twice. The threshold XOFF is the pool's dynamic threshold, computed when it is used:
///
///     XOFF = reserved + min(alpha * free, shared use of the account + free)
///     XON  = max(0, XOFF - offset, xon if it is below XOFF)
///
/// The peer is paused once an arrival takes the account to XOFF or into the headroom. It is resumed
/// once a departure leaves the account at XON or below, and its headroom free for the next pause.
/// Only the account's own arrivals and departures are such occasions; a change of the threshold by
/// other accounts takes effect at the next of them.
///
/// Invariants: an account whose headroom is in use is paused; a paused account is not empty, so
/// that a departure will come that can resume it; the signals of an account alternate, beginning
/// with XOFF.
class IngressPool
{
  public:
    /// Identifies an account.
    using AccountId = uint32_t;

    /// Constructor. @param pool the switch's memory, which must outlive this
    explicit IngressPool(BufferPool& pool)
        : m_pool(pool)
    {
    }

    /// Open an account with default limits. group: its port's group in the pool
    /// (BufferPool::AddPort()), if it has one. @return its identifier: 0, 1, 2...
    AccountId AddAccount(BufferPool::GroupId group = BufferPool::NO_GROUP)
    {
        Account account;
        account.queue = m_pool.AddQueue();
        m_pool.SetGroup(account.queue, group);
        m_accounts.push_back(account);
        return static_cast<AccountId>(m_accounts.size() - 1);
    }

    /// Get the memory that a packet takes. @param bytes its bytes at the network layer
    uint32_t GetCharge(uint32_t bytes) const
    {
        return m_pool.GetCharge(bytes);
    }

    /// @return whether an account may have a factor
    bool IsAlpha(double alpha) const
    {
        return m_pool.IsAlpha(alpha);
    }

    /// Change an account's limits. Its occupancy and its state do not change.
    /// @param account the account
    /// @param limits the new limits
    /// @return false, and nothing changed, when the factor is not a positive number or the pool
    ///         does not have the reserved bytes and the headroom
    bool SetLimits(AccountId account, const IngressLimits& limits)
    {
        BufferLimits inPool;
        inPool.alpha = limits.xoffAlpha;
        inPool.reserved = limits.reserved;
        inPool.headroom = limits.headroom;
        auto& a = m_accounts[account];
        if (!m_pool.SetLimits(a.queue, inPool))
        {
            return false;
        }
        a.xonOffset = limits.xonOffset;
        a.xon = limits.xon;
        return true;
    }

    /// Charge an account for an arriving packet, if its limits allow. bytes: the size of the
    /// packet. @return the outcome; nothing is charged when it is a refusal
    IngressOutcome Admit(AccountId account, uint64_t bytes)
    {
        auto& a = m_accounts[account];
        IngressOutcome outcome{m_pool.Admit(a.queue, bytes), PauseSignal::NONE};
        if (!a.xoff &&
            (outcome.admission != Admission::ADMITTED ||
             m_pool.GetOccupancy(a.queue) >= m_pool.GetThreshold(a.queue)) &&
            m_pool.GetOccupancy(a.queue) > 0)
        {
            a.xoff = true;
            outcome.signal = PauseSignal::XOFF;
        }
        return outcome;
    }

    /// Credit an account for the bytes of a packet that leaves. @return XON or NONE
    PauseSignal Release(AccountId account, uint64_t bytes)
    {
        auto& a = m_accounts[account];
        m_pool.Release(a.queue, bytes);
        if (a.xoff && m_pool.GetHeadroomUsed(a.queue) == 0 &&
            m_pool.GetOccupancy(a.queue) <= GetXonThreshold(account))
        {
            a.xoff = false;
            return PauseSignal::XON;
        }
        return PauseSignal::NONE;
    }

    /// Tell whether the peer is paused. @return true from XOFF to XON
    bool IsXoff(AccountId account) const
    {
        return m_accounts[account].xoff;
    }

    /// Get the occupancy at which the peer is paused. @return XOFF in bytes
    uint64_t GetXoffThreshold(AccountId account) const
    {
        return m_pool.GetThreshold(m_accounts[account].queue);
    }

    /// Get the occupancy at which the peer is resumed. @return XON in bytes
    uint64_t GetXonThreshold(AccountId account) const
    {
        const uint64_t xoff = GetXoffThreshold(account);
        const auto& a = m_accounts[account];
        const uint64_t below = xoff > a.xonOffset ? xoff - a.xonOffset : 0;
        return std::max(below, xoff > a.xon ? a.xon : 0);
    }

    /// @return the occupancy of an account, including its headroom, in bytes
    uint64_t GetOccupancy(AccountId account) const
    {
        return m_pool.GetOccupancy(m_accounts[account].queue);
    }

    /// @return the occupancy of an account's headroom in bytes
    uint64_t GetHeadroomUsed(AccountId account) const
    {
        return m_pool.GetHeadroomUsed(m_accounts[account].queue);
    }

  private:
    /// An account.
    struct Account
    {
        BufferPool::QueueId queue{0}; //!< its queue in the pool
        bool xoff{false};             //!< whether the peer is paused
        uint64_t xonOffset{0};        //!< from XOFF down to XON, in bytes
        uint64_t xon{0};              //!< the least XON, in bytes
    };

    BufferPool& m_pool;              //!< the switch's memory
    std::vector<Account> m_accounts; //!< the accounts, by identifier
};

} // namespace ns3::aidc

#endif // AIDC_INGRESS_POOL_H
