// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/verbs.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <set>
#include <string>

using namespace ns3::aifabric;

namespace
{

TEST(Verbs, NamesOfStates)
{
    const char* const names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
    for (int i = 0; i < 7; ++i)
    {
        EXPECT_STREQ(ToString(static_cast<QpState>(i)), names[i]);
    }
    EXPECT_EQ(static_cast<int>(QpState::Err), 6);
}

// Results hold on to these names.
TEST(Verbs, NamesOfCompletionsAreTheirNumbersInTheVerbs)
{
    const std::map<int, std::string> names{{0, "done"},
                                           {1, "local_length_error"},
                                           {2, "local_operation_error"},
                                           {4, "local_protection_error"},
                                           {5, "flushed"},
                                           {7, "bad_response"},
                                           {8, "local_access_error"},
                                           {9, "remote_invalid_request"},
                                           {10, "remote_access_error"},
                                           {11, "remote_operation_error"},
                                           {12, "retry_exceeded"},
                                           {13, "rnr_retry_exceeded"}};
    std::set<std::string> distinct;
    for (int number = 0; number < 256; ++number)
    {
        const auto found = names.find(number);
        const std::string name = ToString(static_cast<WcStatus>(number));
        EXPECT_EQ(name, found == names.end() ? "unknown" : found->second) << number;
        distinct.insert(name);
    }
    EXPECT_EQ(distinct.size(), names.size() + 1);
    EXPECT_STREQ(ToString(WcStatus::WrFlushError), "flushed");
    EXPECT_STREQ(ToString(WcStatus::RnrRetryExceeded), "rnr_retry_exceeded");
}

TEST(Verbs, NamesOfEvents)
{
    const std::map<AsyncEventType, std::string> names{
        {AsyncEventType::CqError, "CQ_ERR"},
        {AsyncEventType::QpFatal, "QP_FATAL"},
        {AsyncEventType::QpRequestError, "QP_REQ_ERR"},
        {AsyncEventType::QpAccessError, "QP_ACCESS_ERR"},
        {AsyncEventType::CommunicationEstablished, "COMM_EST"},
        {AsyncEventType::SqDrained, "SQ_DRAINED"},
        {AsyncEventType::QpLastWqeReached, "QP_LAST_WQE_REACHED"},
        {AsyncEventType::SrqLimitReached, "SRQ_LIMIT_REACHED"},
        {AsyncEventType::SrqError, "SRQ_ERR"}};
    EXPECT_EQ(names.size(), 1 + static_cast<std::size_t>(AsyncEventType::SrqError));
    for (const auto& [type, name] : names)
    {
        EXPECT_EQ(ToString(type), name);
    }
}

TEST(Verbs, RefusalsAsErrorNumbers)
{
    const std::map<Status, int> numbers{{Status::Ok, 0},
                                        {Status::WrongState, EINVAL},
                                        {Status::IllegalTransition, EINVAL},
                                        {Status::MissingAttribute, EINVAL},
                                        {Status::SurplusAttribute, EINVAL},
                                        {Status::InvalidAttribute, EINVAL},
                                        {Status::InvalidLength, EINVAL},
                                        {Status::UnsupportedRequest, EINVAL},
                                        {Status::InvalidKey, EINVAL},
                                        {Status::QueueFull, ENOMEM},
                                        {Status::SharedReceives, EINVAL}};
    EXPECT_EQ(numbers.size(), 1 + static_cast<std::size_t>(Status::SharedReceives));
    for (const auto& [status, number] : numbers)
    {
        EXPECT_EQ(ToErrno(status), number) << static_cast<int>(status);
    }
}

TEST(Verbs, WhatACompletionIsAbout)
{
    const std::map<WrOpcode, WcOpcode> about{{WrOpcode::Write, WcOpcode::Write},
                                             {WrOpcode::WriteWithImmediate, WcOpcode::Write},
                                             {WrOpcode::Send, WcOpcode::Send},
                                             {WrOpcode::SendWithImmediate, WcOpcode::Send},
                                             {WrOpcode::Read, WcOpcode::Read},
                                             {WrOpcode::CompareSwap, WcOpcode::CompareSwap},
                                             {WrOpcode::FetchAdd, WcOpcode::FetchAdd},
                                             {WrOpcode::SendWithInvalidate, WcOpcode::Send}};
    for (const auto& [request, completion] : about)
    {
        EXPECT_EQ(CompletionOf(request), completion) << static_cast<int>(request);
    }
}

} // namespace
