/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-number.h"

#include <locale>
#include <sstream>

namespace ns3::aidc
{

std::string
PrintNumber(double value, int digits, bool isFixed)
{
    std::ostringstream os;
    os.imbue(std::locale::classic());
    if (isFixed)
    {
        os.setf(std::ios_base::fixed, std::ios_base::floatfield);
    }
    os.precision(digits);
    os << value;
    return os.str();
}

} // namespace ns3::aidc
