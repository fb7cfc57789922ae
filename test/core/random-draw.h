// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANDOM_DRAW_H
#define AIDC_RANDOM_DRAW_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

// Random values of the case of a property that runs, which RapidCheck shrinks if the case fails.
// They are apart from the tests, as its generators take much of a compiler's time.

namespace aidctest
{

/// Draw a number from begin to end - 1. The first cases have numbers near begin.
template <typename T>
T DrawInRange(T begin, T end);

/// Draw a number from begin to end - 1, of the whole range from the first case on.
template <typename T>
T DrawEvenly(T begin, T end);

/// Draw any value.
template <typename T>
T DrawAny();

/// Draw one of some values.
template <typename T>
T
DrawElement(std::initializer_list<T> values)
{
    return values.begin()[DrawEvenly<std::size_t>(0, values.size())];
}

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
    std::mt19937 m_engine{DrawEvenly(1U, 1U << 30)};
};

} // namespace aidctest

#endif // AIDC_RANDOM_DRAW_H
