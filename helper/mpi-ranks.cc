/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks.h"

#include "ns3/simulator.h"

#include <sstream>
#include <stdexcept>

#ifdef NS3_MPI
#include "ns3/mpi-interface.h"
#include "ns3/socket.h"

#include <mpi.h>
#endif

namespace ns3::aidc
{

#ifdef NS3_MPI

MpiRanks::MpiRanks(uint32_t n)
    : m_n(n)
{
    if (m_n <= 1)
    {
        return;
    }
    MPI_Init(nullptr, nullptr);
    int size = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    m_rank = static_cast<uint32_t>(rank);
    if (static_cast<uint32_t>(size) != m_n)
    {
        MPI_Finalize();
        throw std::runtime_error("--ranks=" + std::to_string(m_n) +
                                 ": expected to be started as that many processes (mpirun -np " +
                                 std::to_string(m_n) + "), found " + std::to_string(size));
    }
}

MpiRanks::~MpiRanks()
{
    if (m_n > 1)
    {
        MPI_Finalize();
    }
}

void
MpiRanks::Begin() const
{
    if (m_n > 1)
    {
        // Packets of other ranks have tags, and ns-3 reads only those whose types are in use here.
        SocketIpTosTag::GetTypeId();
        SocketIpTtlTag::GetTypeId();
        SocketIpv6HopLimitTag::GetTypeId();
        SocketIpv6TclassTag::GetTypeId();
        SocketPriorityTag::GetTypeId();
        SocketSetDontFragmentTag::GetTypeId();
        // The communicator is given, so that leaving it does not end MPI.
        MpiInterface::Enable(MPI_COMM_WORLD);
    }
}

void
MpiRanks::End() const
{
    if (m_n > 1)
    {
        MpiInterface::Disable();
    }
}

std::vector<std::string>
MpiRanks::GatherOthers(const std::string& text) const
{
    std::vector<std::string> others;
    for (uint32_t from = 0; m_n > 1 && from < m_n; ++from)
    {
        unsigned long long size = text.size();
        MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, static_cast<int>(from), MPI_COMM_WORLD);
        std::string said = from == m_rank ? text : std::string(size, '\0');
        MPI_Bcast(said.data(),
                  static_cast<int>(size),
                  MPI_CHAR,
                  static_cast<int>(from),
                  MPI_COMM_WORLD);
        if (from != m_rank)
        {
            others.push_back(said);
        }
    }
    return others;
}

#else

MpiRanks::MpiRanks(uint32_t n)
    : m_n(n)
{
    if (m_n > 1)
    {
        throw std::runtime_error("--ranks=" + std::to_string(m_n) +
                                 ": this ns-3 was built without MPI; expected one that was "
                                 "configured with --enable-mpi, or --ranks=1");
    }
}

MpiRanks::~MpiRanks() = default;

void
MpiRanks::Begin() const
{
}

void
MpiRanks::End() const
{
}

std::vector<std::string>
MpiRanks::GatherOthers(const std::string&) const
{
    return {};
}

#endif

uint32_t
MpiRanks::GetN() const
{
    return m_n;
}

uint32_t
MpiRanks::GetRank() const
{
    return m_rank;
}

bool
MpiRanks::IsFirst() const
{
    return m_rank == 0;
}

double
MpiRanks::Sum(double value) const
{
    std::ostringstream text;
    text.precision(17);
    text << value;
    double sum = value;
    for (const auto& other : GatherOthers(text.str()))
    {
        sum += std::stod(other);
    }
    return sum;
}

} // namespace ns3::aidc
