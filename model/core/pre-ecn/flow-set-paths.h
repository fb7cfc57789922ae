// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_SET_PATHS_H
#define AIDC_FLOW_SET_PATHS_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// The paths of a tunnel's flow sets.
///
/// The flows of a tunnel fall into sets by their hash. A set has a home, the path that the weights
/// of paths give it, and the path that its packets take. It leaves its path in these cases:
///
/// - It is to take another path, as PathShareLaw decides. It does so with the first packet after a
///   pause of a gap plus the delay of the old path minus the delay of the new one, so that no
///   packet overtakes another one; or after a time without such a pause (force), when packets may
///   overtake each other. To a path that is shorter by more than the gap, it is forced only when
///   its own path has been too busy for twice the difference of their delays. If all load is on one
///   of two equal paths, flows have by then lost as much time as it takes to repeat the overtaken
///   packets, so the wait costs at most twice the best decision (A. Karlin et al., Competitive
///   snoopy caching, 1988).
/// - Its path is down: it takes its home, or else one of the other paths, with the next packet.
///   When the home is up again, it is to return there.
/// - It was silent for the return time: it begins at home again.
///
/// There are no events: each call gives the time in ns, which never goes back.
class FlowSetPaths
{
  public:
    /// No path.
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    /// The most sets.
    static constexpr uint32_t MAX_SETS = 4096;

    /// The settings. Times are in ns.
    struct Settings
    {
        int64_t gap{500'000};            //!< pause before a packet that takes another path, > 0
        int64_t force{0};                //!< wait after which there need be no pause, 0 for ever
        int64_t returnTime{200'000'000}; //!< silence after which a set begins at home, 0 for never
    };

    /// A path.
    struct Path
    {
        int64_t delay{0}; //!< its one-way delay in ns, 0 if it is not known
        bool isUp{true};  //!< whether it is up
    };

    /// The path of a packet.
    struct Choice
    {
        uint32_t path{0};     //!< the path
        uint32_t before{0};   //!< the path of the set's packets so far
        bool isForced{false}; //!< whether the set has moved without a pause
    };

    /// Constructor. All sets are at home on path 0.
    /// @param nSets the number of sets, from 1 to MAX_SETS
    explicit FlowSetPaths(uint32_t nSets);

    /// Set the homes. Sets that are at home move with them, in a pause. homes: for each set, its
    /// path.
    void SetHomes(int64_t now, const std::vector<uint32_t>& homes);

    /// Choose the path of a packet. bytes: the size of the packet. @return the path; one that is
    /// down if all are
    Choice Choose(const Settings& settings,
                  int64_t now,
                  uint32_t set,
                  uint32_t bytes,
                  const std::vector<Path>& paths);

    /// Note that paths have gone up or down: sets leave paths that are down. @return the number of
    /// sets that have left their path
    uint32_t NotifyPaths(int64_t now, const std::vector<Path>& paths);

    /// Measure the rates of sets since the last measurement.
    void Measure(int64_t now);

    /// @return the sum of the measured rates of its sets, bit/s
    double GetRate(uint32_t path) const;

    /// Note which paths are too busy, by a decision. isBusy: for each path, whether a part of its
    /// load is to leave it.
    void NoteBusy(int64_t now, const std::vector<bool>& isBusy);

    /// Forget which sets were to move to balance loads, but have not yet found a pause. If they are
    /// chosen again, they come first, and have waited since the first time.
    void CancelMoves();

    /// Choose sets that are to move, while they fit an amount: first the sets whose move was
    /// canceled, then the fastest.
    /// @param now the time
    /// @param from the path that they leave
    /// @param to the path that they are to take
    /// @param amount the largest sum of their measured rates, bit/s
    /// @return what is left of the amount
    double Move(int64_t now, uint32_t from, uint32_t to, double amount);

    /// Choose a single set that is larger than an amount to be moved, or none: the slowest one, by
    /// a probability for which the moved rate is the amount on average.
    /// @param now the time
    /// @param from the path that it leaves
    /// @param to the path that it is to take
    /// @param amount the amount, bit/s
    /// @param limit the largest rate of the set, bit/s
    /// @param draw a random number from 0 to below 1
    /// @return whether there is one
    bool MoveOne(int64_t now, uint32_t from, uint32_t to, double amount, double limit, double draw);

    /// @return the path of its packets
    uint32_t GetPath(uint32_t set) const
    {
        return m_sets[set].path;
    }

    /// @return the number of sets
    uint32_t GetNSets() const
    {
        return static_cast<uint32_t>(m_sets.size());
    }

    /// Get how many sets are on a path. @param path the path @return sets
    uint32_t Count(uint32_t path) const;

  private:
    /// A set.
    struct Set
    {
        uint32_t home{0};        //!< its home
        uint32_t path{0};        //!< the path of its packets
        uint32_t wanted{NONE};   //!< the path that it is to take
        uint32_t canceled{NONE}; //!< the path that it was to take before CancelMoves()
        bool isReturning{false}; //!< whether it is to go home, because of weights or a failure
        bool isDisplaced{false}; //!< whether it has left its home because the home was down
        int64_t wantedSince{0};  //!< when it was told to take it
        int64_t lastPacket{0};   //!< time of its last packet
        uint64_t bytes{0};       //!< since the measurement
        double rate{0};          //!< as it was measured, bit/s
    };

    /// Have a set move to another path in a pause.
    static void Want(Set& set, int64_t now, uint32_t path, bool isReturning);

    static void Put(Set& set, uint32_t path);

    /// Have a set leave a path that is down. @return whether there is another path
    bool Flee(Set& set, const std::vector<Path>& paths);

    /// Tell whether a set may take a path without a pause. @return whether it may
    bool MayForce(const Set& set, const Settings& settings, int64_t now, int64_t shorter) const;

    std::vector<Set> m_sets;          //!< the sets
    std::vector<int64_t> m_busySince; //!< for each path since when it is too busy, or NOT_BUSY
    int64_t m_measuredAt{0};          //!< the time of the last measurement
};

} // namespace ns3::aidc

#endif // AIDC_FLOW_SET_PATHS_H
