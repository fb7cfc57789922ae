/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANDOM_DRAW_H
#define AIDC_RANDOM_DRAW_H

#include "test/core/core-test.h"

namespace aidctest
{

/// Random numbers of a test case. They do not shrink, but cases are large from the first one on.
class Draw
{
  public:
    /// A number from begin to end - 1.
    uint32_t operator()(uint32_t begin, uint32_t end)
    {
        return begin + m_engine() % (end - begin);
    }

  private:
    std::mt19937 m_engine{*rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1U, 1U << 30))};
};

} // namespace aidctest

#endif // AIDC_RANDOM_DRAW_H
