// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_OBJECT_POOL_H
#define AIDC_OBJECT_POOL_H

#include "cache-line.h"

#include <boost/pool/singleton_pool.hpp>
#include <cstddef>
#include <new>

namespace ns3::aidc
{

/// Memory for objects that are made and deleted for each packet. An object gets the memory of
/// the last one that was deleted, which is still in the cache.
///
/// A class's operators new and delete use it. The pool keeps free memory until the program ends.
/// Like all of ns-3's models, it is for one thread.
/// @tparam T the class; no class is derived from it
template <typename T>
class ObjectPool
{
  public:
    /// @return memory for an object; std::bad_alloc is thrown if there is none
    static void* Allocate()
    {
        if (void* memory = Pool::malloc())
        {
            return memory;
        }
        throw std::bad_alloc();
    }

    /// Give the memory of an object back. @param memory the memory
    static void Free(void* memory)
    {
        Pool::free(memory);
    }

  private:
    /// Gets blocks of memory that begin with a line of the cache.
    struct Blocks
    {
        using size_type = std::size_t;          //!< sizes of blocks
        using difference_type = std::ptrdiff_t; //!< distances of addresses

        /// Get a block of a size in bytes. @return the block, null if there is none
        static char* malloc(size_type size)
        {
            return static_cast<char*>(::operator new(size, LINE, std::nothrow));
        }

        static void free(char* block)
        {
            ::operator delete(block, LINE);
        }

        /// The bytes of a line.
        static constexpr std::align_val_t LINE{CACHE_LINE};
    };

    /// Distinguishes the pools of different classes.
    struct Tag;

    /// The pool, made on first use.
    using Pool = boost::singleton_pool<Tag, sizeof(T), Blocks, boost::details::pool::null_mutex>;
};

} // namespace ns3::aidc

#endif // AIDC_OBJECT_POOL_H
