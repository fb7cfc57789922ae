// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_BOTTLENECKS_H
#define AIDC_CSIG_BOTTLENECKS_H

#include "csig-locator.h"
#include "csig-signal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// A port that signals have named as the bottleneck of paths.
struct CsigBottleneck
{
    uint16_t locator{0};  //!< LM, which names the port
    uint64_t nReports{0}; //!< the number of signals that have named it
    uint32_t nPairs{0};   //!< the number of pairs of hosts of these signals
    uint64_t worst{0};    //!< the worst value, in the signal's unit
    uint64_t best{0};     //!< the best value, in the signal's unit
    double mean{0};       //!< the mean value, in the signal's unit
    double score{0};      //!< the rank of the port, see CsigBottlenecks
};

/// Finds the ports that are most often, and most severely, the bottleneck of paths.
///
/// Sections 8.2.1 and 8.3 of draft-ravi-ippm-csig-01 (February 2024) ask for the bottlenecks of
/// many pairs of hosts, for example of a mesh of probes. The ranking is ours. A degraded link is
/// bad for all flows at all times, a busy link is not. So the best value with which a port was ever
/// named decides. The score of a port is its severity times the number of signals that name it. The
/// severity is 1 - best / reference for a minimum (0 if the best value is above the reference), and
/// best / reference for a maximum.
class CsigBottlenecks
{
  public:
    /// Constructor.
    /// @param aggregation the aggregation of the signal
    /// @param reference for a minimum the value of a healthy idle path, for a maximum a value that
    ///        counts as severe; above 0, in the signal's unit
    /// @throws std::invalid_argument if the reference is 0
    CsigBottlenecks(CsigAggregation aggregation, uint64_t reference);

    /// @return the reference of severities
    uint64_t GetReference() const
    {
        return m_reference;
    }

    /// Take a signal.
    /// @param pair any number that identifies the pair of hosts
    /// @param locator LM, which names the port
    /// @param value the value in the signal's unit
    void Add(uint32_t pair, uint16_t locator, uint64_t value);

    /// What signals of a pair of hosts have told of a port.
    struct Part
    {
        uint32_t pair{0};     //!< identifies the pair
        uint16_t locator{0};  //!< LM, which names the port
        uint64_t nReports{0}; //!< the number of signals, at least 1
        uint64_t worst{0};    //!< the worst value
        uint64_t best{0};     //!< the best value
        double sum{0};        //!< the sum of the values
    };

    /// Take signals that another object has.
    /// @param part what they have told
    void Add(const Part& part);

    /// @return what was taken, by locator and pair, for Add()
    std::vector<Part> GetParts() const;

    /// Get all ports that have been named.
    /// @return the ports, by descending score; at equal scores by ascending locator
    std::vector<CsigBottleneck> GetRanking() const;

  private:
    /// Add signals to the signals of the same pair and port, or of the same port.
    void Join(const Part& part, Part& sum) const;

    CsigAggregation m_aggregation; //!< of the signal
    uint64_t m_reference;          //!< the reference of severities
    /// By locator and pair: only the order of a pair's signals, at one host, is certain.
    std::map<uint16_t, std::map<uint32_t, Part>> m_ports;
};

/// What a signal means to a flow that can choose another path.
enum class CsigPathAction : uint8_t
{
    KEEP,     //!< not congested, or not for long enough
    REHASH,   //!< congested where another path may avoid it: take one
    LAST_HOP, //!< congested at the last hop, which is on all paths
};

/// The conditions for a flow to take another path.
struct CsigPathPolicySettings
{
    CsigAggregation aggregation{CsigAggregation::MIN}; //!< of the signal
    /// A minimum below it, or a maximum above it, is congestion; in the signal's unit. Default: a
    /// tenth of 100 Gbit/s.
    uint64_t threshold{10'000'000'000};
    uint32_t patience{3};     //!< the signals of congestion in a row before a change, at least 1
    int64_t pause{200'000};   //!< the least time between two changes of the path, ns
    uint32_t leafStage{0};    //!< the stage of the switches that hosts are attached to
    bool sparesLastHop{true}; //!< whether congestion at the last hop is treated differently
};

/// @return whether locator metadata, whose layout must have stage and orientation, name the last
/// hop: a leaf's port towards the hosts
bool IsCsigLastHop(const CsigLocator& locator, uint32_t leafStage);

/// Decides whether a flow takes another path (section 8.2.1 of draft-ravi-ippm-csig-01).
///
/// "The stage of the bottleneck and link orientation attributes are enough to determine whether the
/// last hop is the bottleneck or not": if it is, another path does not help and may harm. The draft
/// says no more; the threshold and the waiting times are ours. The count of signals restarts with a
/// signal that reports no congestion, or congestion at the last hop, and with a change of the path.
class CsigPathPolicy
{
  public:
    /// Constructor. @throws std::invalid_argument if the patience is 0 or the pause is negative
    explicit CsigPathPolicy(const CsigPathPolicySettings& settings);

    /// Take a signal of the flow's present path. now: the time in ns; value: in the signal's unit;
    /// locator: the bottleneck. @return the action; after REHASH the flow is expected to take
    /// another path at once
    CsigPathAction NoteSignal(int64_t now, uint64_t value, const CsigLocator& locator);

  private:
    CsigPathPolicySettings m_settings;   //!< when to take another path
    uint32_t m_nCongested{0};            //!< signals of congestion in a row
    std::optional<int64_t> m_lastChange; //!< when the path was changed, ns
};

/// The weights of equal-cost ports, from the available bandwidth that signals report.
///
/// Section 8.2.2 of draft-ravi-ippm-csig-01 (February 2024) is about traffic engineering by
/// summarized signals. How weights are computed is ours. A tag names a port only if the port is the
/// bottleneck of a path, so there are no signals of most ports. Such a port has at least as much
/// available bandwidth as any port with signals, and counts as the best of them.
///
/// Available bandwidth depends on the present weights, so it is no weight itself: with perfect
/// balance it is the same everywhere. At the end of a period each weight is multiplied by
///
///     1 + gain * (a - mean of all a)
///
/// where a is the port's mean available share of its capacity. Then all weights are scaled so that
/// their mean is 1. No weight falls below a floor, so that each port gets some traffic to be
/// measured by.
class CsigPathWeights
{
  public:
    /// Constructor; all weights are 1. nMembers: the number of ports, at least 1; gain: the part of
    /// a difference that is corrected in a period, above 0 and at most 1; floor: the least weight,
    /// above 0 and below 1. @throws std::invalid_argument if a parameter is out of range
    explicit CsigPathWeights(std::size_t nMembers, double gain = 0.5, double floor = 0.05);

    /// Take a signal that names a port. member: the port, from 0; share: the available share of its
    /// capacity, from 0 to 1. @throws std::invalid_argument if there is no such port or share
    void Note(std::size_t member, double share);

    /// End a period. @return whether any signal has named a port; if not, weights are as before
    bool Update();

    /// @return a weight for each port
    const std::vector<double>& GetWeights() const
    {
        return m_weights;
    }

  private:
    /// The signals of a port in a period.
    struct Member
    {
        double sum{0}; //!< the sum of the shares
        uint64_t n{0}; //!< how many
    };

    double m_gain;                 //!< the part of a difference that is corrected
    double m_floor;                //!< the least weight
    std::vector<Member> m_members; //!< the ports, in this period
    std::vector<double> m_weights; //!< the weights
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_BOTTLENECKS_H
