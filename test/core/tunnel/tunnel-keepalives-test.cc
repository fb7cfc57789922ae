// SPDX-License-Identifier: GPL-2.0-only

// Keepalives of tunnels, as in GRE: a path is silent when so many have not returned.

#include "model/core/tunnel/tunnel-paths.h"
#include "test/core/core-test.h"

TEST(TunnelKeepalives, APathIsSilentAfterSoManyMisses)
{
    TunnelPathChoice keepalives;
    keepalives.Reset(2);
    for (uint32_t round = 0; round < 4; ++round)
    {
        keepalives.BeginKeepalives(3);
        EXPECT_EQ(keepalives.IsSilent(0), round == 3) << "after three misses";
        EXPECT_FALSE(keepalives.IsSilent(1));
        keepalives.NotifySent(0);
        keepalives.NotifySent(1);
        EXPECT_FALSE(keepalives.NotifyReturned(1)) << "it was not silent";
    }
    EXPECT_TRUE(keepalives.NotifyReturned(0));
    EXPECT_FALSE(keepalives.IsSilent(0));
    keepalives.BeginKeepalives(3);
    EXPECT_FALSE(keepalives.IsSilent(0)) << "counted from 0 again";
}

TEST(TunnelKeepalives, WithoutKeepalivesNoPathIsSilent)
{
    TunnelPathChoice keepalives;
    keepalives.Reset(1);
    keepalives.NotifySent(0);
    keepalives.BeginKeepalives(1);
    keepalives.RestartKeepalives(true);
    EXPECT_TRUE(keepalives.IsSilent(0)) << "until one returns";
    keepalives.RestartKeepalives(false);
    EXPECT_FALSE(keepalives.IsSilent(0));
}
