// SPDX-License-Identifier: GPL-2.0-only

// The handshake of CSIG: section 6.3.3 of draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-flow-table.h"
#include "test/core/core-test.h"

constexpr uint32_t MAX_OFFERS = 3;

/// Give both ends a connection whose packets all arrive.
void
Connect(CsigNegotiation& client, CsigNegotiation& server)
{
    server.ReceiveSyn(client.SendSyn(MAX_OFFERS));
    client.ReceiveSynAck(server.SendSynAck());
}

TEST(CsigNegotiation, Section633BothEndsAgree)
{
    CsigNegotiation client;
    CsigNegotiation server;
    EXPECT_FALSE(client.IsAgreed());
    EXPECT_FALSE(server.IsAgreed());
    Connect(client, server);
    EXPECT_TRUE(client.IsAgreed());
    EXPECT_TRUE(server.IsAgreed());
}

TEST(CsigNegotiation, Section633NothingIsAgreedBeforeTheAnswer)
{
    CsigNegotiation client;
    CsigNegotiation server;
    const bool offers = client.SendSyn(MAX_OFFERS);
    EXPECT_FALSE(client.IsAgreed());
    server.ReceiveSyn(offers);
    EXPECT_FALSE(server.IsAgreed());
}

TEST(CsigNegotiation, Section633PeerWithoutCsigRefusesByNotAnswering)
{
    CsigNegotiation client;
    EXPECT_TRUE(client.SendSyn(MAX_OFFERS));
    client.ReceiveSynAck(false);
    EXPECT_FALSE(client.IsAgreed());

    CsigNegotiation server;
    server.ReceiveSyn(false);
    EXPECT_FALSE(server.SendSynAck());
    EXPECT_FALSE(server.IsAgreed());
}

TEST(CsigNegotiation, Section633AnswerWithoutAnOfferIsNoAgreement)
{
    CsigNegotiation client;
    EXPECT_FALSE(client.SendSyn(0));
    client.ReceiveSynAck(true);
    EXPECT_FALSE(client.IsAgreed());
}

TEST(CsigNegotiation, Section633RepeatedSynOffersSomeTimes)
{
    CsigNegotiation client;
    for (uint32_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(client.SendSyn(MAX_OFFERS), i < MAX_OFFERS) << i;
    }
    // The answer may be to one of the first.
    client.ReceiveSynAck(true);
    EXPECT_TRUE(client.IsAgreed());
    // The next connection offers again.
    EXPECT_TRUE(client.SendSyn(MAX_OFFERS));
    EXPECT_FALSE(client.IsAgreed());
}

TEST(CsigNegotiation, Section633RepeatedAnswerStillAccepts)
{
    CsigNegotiation client;
    CsigNegotiation server;
    server.ReceiveSyn(client.SendSyn(MAX_OFFERS));
    server.SendSynAck(); // gets lost
    client.ReceiveSynAck(server.SendSynAck());
    EXPECT_TRUE(client.IsAgreed());
    EXPECT_TRUE(server.IsAgreed());
    // A second SYN that was under way
    server.ReceiveSyn(true);
    EXPECT_TRUE(server.IsAgreed());
}

TEST(CsigNegotiation, Section633NextConnectionOfAPeerWithoutCsigIsNotAgreed)
{
    CsigNegotiation client;
    CsigNegotiation server;
    Connect(client, server);
    server.ReceiveSyn(false);
    EXPECT_FALSE(server.IsAgreed());
    EXPECT_FALSE(server.SendSynAck());
}

TEST(CsigNegotiation, Section633BothOpenAtOnce)
{
    CsigNegotiation a;
    CsigNegotiation b;
    const bool fromA = a.SendSyn(MAX_OFFERS);
    const bool fromB = b.SendSyn(MAX_OFFERS);
    a.ReceiveSyn(fromB);
    b.ReceiveSyn(fromA);
    const bool answerOfA = a.SendSynAck();
    const bool answerOfB = b.SendSynAck();
    a.ReceiveSynAck(answerOfB);
    b.ReceiveSynAck(answerOfA);
    EXPECT_TRUE(a.IsAgreed());
    EXPECT_TRUE(b.IsAgreed());
}
