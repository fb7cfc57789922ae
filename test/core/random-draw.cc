// SPDX-License-Identifier: GPL-2.0-only

#include "random-draw.h"

#include <rapidcheck.h>

namespace aidctest
{

template <typename T>
T
DrawInRange(T begin, T end)
{
    return *rc::gen::inRange<T>(begin, end);
}

template <typename T>
T
DrawEvenly(T begin, T end)
{
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(begin, end));
}

template <typename T>
T
DrawAny()
{
    return *rc::gen::arbitrary<T>();
}

template unsigned char DrawInRange(unsigned char, unsigned char);
template unsigned short DrawInRange(unsigned short, unsigned short);
template unsigned int DrawInRange(unsigned int, unsigned int);
template unsigned long DrawInRange(unsigned long, unsigned long);
template unsigned long long DrawInRange(unsigned long long, unsigned long long);
template int DrawInRange(int, int);
template long DrawInRange(long, long);
template long long DrawInRange(long long, long long);

template unsigned int DrawEvenly(unsigned int, unsigned int);
template unsigned long DrawEvenly(unsigned long, unsigned long);
template unsigned long long DrawEvenly(unsigned long long, unsigned long long);
template int DrawEvenly(int, int);

template bool DrawAny();
template unsigned char DrawAny();
template unsigned short DrawAny();
template unsigned int DrawAny();
template unsigned long DrawAny();
template unsigned long long DrawAny();

} // namespace aidctest
