// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_JITTERED_APPLICATION_H
#define AIDC_JITTERED_APPLICATION_H

#include "ns3/application.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::aidc
{

/// An application whose timers have jitter.
///
/// This is a separate class because Application::AssignStreams() is virtual only from ns-3.40 on,
/// so that a function which overrides it cannot have the keyword override. In a class where other
/// functions have the keyword, compilers would warn.
class JitteredApplication : public Application
{
  public:
    /// @return the type ID
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aidc::JitteredApplication").SetParent<Application>().SetGroupName("Aidc");
        return tid;
    }

    /// Assign a fixed random variable stream to the jitter. @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream)
    {
        m_jitter->SetStream(stream);
        return 1;
    }

    /// Draw a factor of a timer. min: the smallest one; max: the largest one. @return the factor
    double DrawJitter(double min, double max = 1)
    {
        return m_jitter->GetValue(min, max);
    }

  private:
    Ptr<UniformRandomVariable> m_jitter{CreateObject<UniformRandomVariable>()}; //!< draws
};

} // namespace ns3::aidc

#endif // AIDC_JITTERED_APPLICATION_H
