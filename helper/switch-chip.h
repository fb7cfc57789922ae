// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SWITCH_CHIP_H
#define AIDC_SWITCH_CHIP_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A configuration of a switch chip: its memory, as an operator divides it. Sizes are in
/// bytes of cells.
struct SwitchChipProfile
{
    std::string name;            //!< its name
    std::string source;          //!< where the numbers are published
    uint32_t ports{0};           //!< ports of the switch
    uint64_t shared{0};          //!< shared memory of each partition
    uint64_t lossyShared{0};     //!< the most of it that lossy queues have together, 0 for all
    uint64_t headroomPool{0};    //!< headroom of each partition in use, 0 for each account's own
    uint64_t headroom{0};        //!< headroom of an account, 0 to derive it from the link
    double xoffAlpha{1};         //!< factor of the threshold XOFF
    uint64_t ingressReserved{0}; //!< set aside for an account
    uint64_t xon{0};             //!< the least occupancy at which a peer may go on
    uint64_t xonOffset{0};       //!< from XOFF down to where a peer may go on
    double queueAlpha{1};        //!< factor of the threshold of a lossy queue
    uint64_t queueReserved{0};   //!< set aside for a lossy queue
    uint64_t queueCap{0};        //!< static cap of a lossy queue, 0 for none
    double portAlpha{0};         //!< factor of an egress port's queues together, 0 for none
    double ingressPortAlpha{0};  //!< factor of an ingress port's accounts together, 0 for none
    uint64_t kmin{0};            //!< lower end of the band of marks
    uint64_t kmax{0};            //!< upper end of it, 0 if the source has no marks
    double pmax{1};              //!< probability of a mark at kmax
    bool marksAtDequeue{true};   //!< whether packets are marked as they leave
    std::vector<uint32_t>
        weights; //!< of the classes' DWRR, 0 for strict priority; empty if unknown
};

/// The headroom of an account, as a configuration of a chip has it for a link.
struct SwitchChipHeadroom
{
    DataRate rate;      //!< of the link
    uint32_t meters{0}; //!< of the cable
    uint64_t bytes{0};  //!< the headroom
    std::string source; //!< where it is published
};

/// A measurement at a chip of a profile, in frames of 64 bytes.
struct SwitchChipMeasurement
{
    /// What was counted. Frames come in, and none goes out.
    enum Kind
    {
        PAUSE_IN_TURN, //!< accounts are filled one after the other: frames of each when it is
                       //!< paused
        PAUSE_EQUAL,   //!< accounts are filled evenly: frames of each when the first is paused
        INGRESS_DROP,  //!< frames of an account, its headroom included, when one is lost
        EGRESS_DROP,   //!< frames of a lossy queue when one is lost
        LAST_HEADROOM, //!< accounts fill their headroom in turn: frames of the last one's
        RESUME,        //!< frames from XOFF down to XON
    };

    Kind kind{PAUSE_IN_TURN};     //!< what was counted
    std::string profile;          //!< of which configuration
    uint32_t accounts{1};         //!< accounts that are filled
    std::vector<uint64_t> frames; //!< what was counted, a number an account that is filled in turn
    double tolerance{0};          //!< how far our law is from it, in frames
    std::string note;             //!< what else there is to say
    std::string source;           //!< where it is published
};

/// A switch chip: how its memory works, configurations of it, and what was measured at it.
///
/// It is read from a file of JSON, one of the module's own (`examples/data/chips`) or a user's. The
/// chapter on silicon has the form. SharedBufferSwitchHelper aggregates it to the switches that it
/// makes, so that other helpers find it there.
class SwitchChip : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Find a chip.
    /// @param name the name of one of the module's own, such as tomahawk-5, or the path of a file;
    ///        with `:PROFILE` behind it, that configuration is chosen in place of the first one
    /// @return the chip
    /// @throws AidcInputError if the file is not as it should be
    /// @throws std::invalid_argument that names the chips or profiles that there are, if there is
    ///         none of that name
    static Ptr<SwitchChip> Find(const std::string& name);

    /// Make a copy, such as one for a node of its own. @param chip the chip @return the copy
    static Ptr<SwitchChip> Copy(const SwitchChip& chip);

    /// Get the names of the module's own chips. @return the names, in alphabetical order
    static std::vector<std::string> GetNames();

    /// Choose a configuration. @param name its name
    /// @throws std::invalid_argument that names the configurations that there are, if there is none
    ///         of that name
    void Choose(const std::string& name);

    /// @return the configuration that is chosen
    const SwitchChipProfile& GetProfile() const
    {
        return m_profiles[m_chosen];
    }

    /// @return its name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return the name or the path of the file by which it was found, without a configuration
    const std::string& GetFile() const
    {
        return m_file;
    }

    /// @return bytes of a cell, 0 if it counts bytes of packets
    uint32_t GetCellSize() const
    {
        return m_cellSize;
    }

    /// @return the number of equal parts of its memory
    uint32_t GetPartitions() const
    {
        return m_partitions;
    }

    /// @return the ports of a partition in the chosen configuration; 0 if they are not known
    uint32_t GetPortsPerPartition() const
    {
        return (GetProfile().ports + m_partitions - 1) / m_partitions;
    }

    /// @return whether factors of dynamic thresholds are powers of two
    bool HasPowerOfTwoAlphas() const
    {
        return m_hasPowersOfTwo;
    }

    /// Get the time from a PFC frame's reception until the peer obeys, with all that takes a time
    /// of its own. @return the time; none if it is not known
    std::optional<Time> GetResponseTime() const
    {
        return m_responseTime;
    }

    /// @return the published headrooms
    const std::vector<SwitchChipHeadroom>& GetHeadrooms() const
    {
        return m_headrooms;
    }

    /// Find the published headroom of a link: for its rate and the shortest cable that is not
    /// shorter. rate: its rate; meters: its length. @return bytes; 0 if there is none
    uint64_t FindHeadroom(DataRate rate, double meters) const;

    /// @return what was measured
    const std::vector<SwitchChipMeasurement>& GetMeasurements() const
    {
        return m_measurements;
    }

    /// Delay of a meter of cable, as configurations of chips have it.
    static constexpr double NANOSECONDS_A_METER = 5;

  private:
    friend class SwitchChipReader; // fills it

    std::string m_name;                                //!< its name
    std::string m_file;                                //!< by what it was found
    uint32_t m_cellSize{0};                            //!< bytes of a cell
    uint32_t m_partitions{1};                          //!< parts of the memory
    bool m_hasPowersOfTwo{false};                      //!< whether factors are powers of two
    std::optional<Time> m_responseTime;                //!< until the peer obeys
    std::vector<SwitchChipProfile> m_profiles;         //!< the configurations
    std::size_t m_chosen{0};                           //!< the chosen one
    std::vector<SwitchChipHeadroom> m_headrooms;       //!< published headrooms
    std::vector<SwitchChipMeasurement> m_measurements; //!< what was measured
};

} // namespace ns3::aidc

#endif // AIDC_SWITCH_CHIP_H
