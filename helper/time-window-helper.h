// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TIME_WINDOW_HELPER_H
#define AIDC_TIME_WINDOW_HELPER_H

#include "ns3/nstime.h"

namespace ns3::aidc
{

/// Chooses TimeWindowSimulatorImpl, which runs events node by node within time windows.
///
///     int main(int argc, char* argv[])
///     {
///         aidc::TimeWindowHelper::Enable();
///         ...
///
/// It sets ns-3's global value SimulatorImplementationType, as a user may do on the command line:
/// `--SimulatorImplementationType=ns3::aidc::TimeWindowSimulatorImpl`.
class TimeWindowHelper
{
  public:
    /// Have this simulation, and those after it, run in time windows.
    ///
    /// Call it before anything is scheduled, or after Simulator::Destroy(); otherwise the
    /// program ends with an error.
    static void Enable();

    /// Have this simulation, and those after it, run by ns-3's default simulator.
    ///
    /// Call it at the same times as Enable().
    static void Disable();

    /// Get the lookahead, while Simulator::Run() is called or after it.
    /// @return the shortest delay of a link; 0 if events run in time order
    static Time GetLookahead();

    /// Get the length of a window, by which nodes' times may differ.
    /// @return the length; 0 by ns-3's default simulator, or if events run in time order
    static Time GetWindow();
};

} // namespace ns3::aidc

#endif // AIDC_TIME_WINDOW_HELPER_H
