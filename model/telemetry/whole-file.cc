// SPDX-License-Identifier: GPL-2.0-only
#include "whole-file.h"

#include "ns3/scenario-error.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace ns3::aifabric
{

namespace
{

int g_filesAside = 0;
sigset_t g_signalsBefore;

/// Holds back the signals that end the process, so that no file stays aside.
void
HoldSignals()
{
    if (g_filesAside++ == 0)
    {
        sigset_t signals;
        sigemptyset(&signals);
        for (int signal : {SIGHUP, SIGINT, SIGTERM})
        {
            sigaddset(&signals, signal);
        }
        pthread_sigmask(SIG_BLOCK, &signals, &g_signalsBefore);
    }
}

void
ReleaseSignals()
{
    if (--g_filesAside == 0)
    {
        pthread_sigmask(SIG_SETMASK, &g_signalsBefore, nullptr);
    }
}

} // namespace

WholeFile::WholeFile(const std::string& path)
    : m_path(path)
{
    std::error_code ignored;
    // A device or a pipe is written to, not replaced.
    if (std::filesystem::is_other(path, ignored))
    {
        m_file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    }
    else
    {
        std::filesystem::path aside(path);
        aside.replace_filename("." + aside.filename().string() + "." + std::to_string(getpid()));
        m_asidePath = aside.string();
        HoldSignals();
        m_file = open(m_asidePath.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (m_file < 0)
    {
        const int error = errno;
        Settle();
        Fail(error);
    }
}

void
WholeFile::Settle()
{
    if (!m_asidePath.empty())
    {
        m_asidePath.clear();
        ReleaseSignals();
    }
}

WholeFile::~WholeFile()
{
    if (m_file >= 0)
    {
        close(m_file);
    }
    if (!m_asidePath.empty())
    {
        unlink(m_asidePath.c_str());
        Settle();
    }
}

void
WholeFile::Append(std::string_view text)
{
    m_pending += text;
    Drain();
}

void
WholeFile::Flush()
{
    std::string_view rest = m_pending;
    while (!rest.empty())
    {
        ssize_t written = write(m_file, rest.data(), rest.size());
        if (written < 0 && errno != EINTR)
        {
            Fail(errno);
        }
        rest.remove_prefix(written < 0 ? 0 : written);
    }
    m_pending.clear();
}

void
WholeFile::Commit()
{
    Flush();
    int file = m_file;
    m_file = -1;
    // Some file systems report only here that there was no room.
    if (close(file) != 0 ||
        (!m_asidePath.empty() && std::rename(m_asidePath.c_str(), m_path.c_str()) != 0))
    {
        Fail(errno);
    }
    Settle();
}

void
WholeFile::Write(const std::string& path, std::string_view text)
{
    WholeFile file(path);
    file.Append(text);
    file.Commit();
}

void
WholeFile::Fail(int error) const
{
    throw ScenarioError("", "cannot be written: " + std::generic_category().message(error))
        .In(m_path);
}

void
MakeOutputFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::error_code unseen;
    if (!std::filesystem::is_directory(folder, unseen))
    {
        std::string reason = error ? error.message() : "there is a file of that name";
        throw ScenarioError("", "cannot be made a folder for results: " + reason).In(folder);
    }
    try
    {
        WholeFile probe((std::filesystem::path(folder) / "probe").string());
    }
    catch (const ScenarioError&)
    {
        throw ScenarioError("", "is a folder without permission or room to write results")
            .In(folder);
    }
}

} // namespace ns3::aifabric
