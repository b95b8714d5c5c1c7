// SPDX-License-Identifier: GPL-2.0-only
#include "verbs.h"

#include <cerrno>

namespace ns3::aifabric
{

int
ToErrno(Status status)
{
    switch (status)
    {
    case Status::Ok:
        return 0;
    case Status::QueueFull:
        return ENOMEM;
    case Status::WrongState:
    case Status::IllegalTransition:
    case Status::MissingAttribute:
    case Status::SurplusAttribute:
    case Status::InvalidAttribute:
    case Status::InvalidLength:
    case Status::UnsupportedRequest:
    case Status::InvalidKey:
    case Status::SharedReceives:
        break;
    }
    return EINVAL;
}

const char*
ToString(QpState state)
{
    constexpr const char* kNames[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
    return kNames[static_cast<int>(state)];
}

const char*
ToString(WcStatus status)
{
    switch (status)
    {
    case WcStatus::Success:
        return "done";
    case WcStatus::LocalLengthError:
        return "local_length_error";
    case WcStatus::LocalOperationError:
        return "local_operation_error";
    case WcStatus::LocalProtectionError:
        return "local_protection_error";
    case WcStatus::WrFlushError:
        return "flushed";
    case WcStatus::BadResponse:
        return "bad_response";
    case WcStatus::LocalAccessError:
        return "local_access_error";
    case WcStatus::RemoteInvalidRequest:
        return "remote_invalid_request";
    case WcStatus::RemoteAccessError:
        return "remote_access_error";
    case WcStatus::RemoteOperationError:
        return "remote_operation_error";
    case WcStatus::RetryExceeded:
        return "retry_exceeded";
    case WcStatus::RnrRetryExceeded:
        return "rnr_retry_exceeded";
    }
    return "unknown";
}

WcOpcode
CompletionOf(WrOpcode opcode)
{
    switch (opcode)
    {
    case WrOpcode::Write:
    case WrOpcode::WriteWithImmediate:
        return WcOpcode::Write;
    case WrOpcode::Read:
        return WcOpcode::Read;
    case WrOpcode::CompareSwap:
        return WcOpcode::CompareSwap;
    case WrOpcode::FetchAdd:
        return WcOpcode::FetchAdd;
    case WrOpcode::Send:
    case WrOpcode::SendWithImmediate:
    case WrOpcode::SendWithInvalidate:
        break;
    }
    return WcOpcode::Send;
}

const char*
ToString(AsyncEventType type)
{
    constexpr const char* kNames[] = {"CQ_ERR",
                                      "QP_FATAL",
                                      "QP_REQ_ERR",
                                      "QP_ACCESS_ERR",
                                      "COMM_EST",
                                      "SQ_DRAINED",
                                      "QP_LAST_WQE_REACHED",
                                      "SRQ_LIMIT_REACHED",
                                      "SRQ_ERR"};
    return kNames[static_cast<int>(type)];
}

} // namespace ns3::aifabric
