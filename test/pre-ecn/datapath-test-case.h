/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DATAPATH_TEST_CASE_H
#define AIDC_DATAPATH_TEST_CASE_H

#include "ns3/switch-datapath.h"
#include "ns3/test.h"

#include <string>

namespace aidctest
{

using namespace ns3;
using namespace ns3::aidc;

/// Name a mode of the datapath behind what is tested in it.
inline std::string
GetSuffix(SwitchDatapath::Mode mode)
{
    return mode == SwitchDatapath::FAST ? ", fast path" : ", stack";
}

/// A test of a mode of the datapath.
class DatapathTestCase : public TestCase
{
  public:
    DatapathTestCase(const std::string& name, SwitchDatapath::Mode mode)
        : TestCase(name + GetSuffix(mode)),
          m_mode(mode)
    {
    }

  protected:
    const SwitchDatapath::Mode m_mode; //!< how packets get through routers
};

} // namespace aidctest

#endif // AIDC_DATAPATH_TEST_CASE_H
