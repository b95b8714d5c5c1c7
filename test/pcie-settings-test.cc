// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/pcie-settings.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{
namespace
{

class Pcie : public testing::Test
{
  protected:
    void Set(const std::string& attribute, uint32_t value)
    {
        pcie->SetAttribute(attribute, UintegerValue(value));
    }

    std::string Refusal(const std::string& attribute, const AttributeValue& value)
    {
        return ErrorOf([&] { pcie->SetAttribute(attribute, value); });
    }

    Ptr<PcieSettings> pcie{CreateObject<PcieSettings>()};
};

constexpr double kGByte = 8e9; // bit

TEST_F(Pcie, PayloadOfTlps)
{
    // x16 in GB/s: 128b/130b; a TLP has 24 B beside its payload (framing 4, header 16, LCRC 4).
    struct
    {
        uint32_t generation;
        double raw;
        double payload[3]; ///< at 128, 256, 512 B
        double tolerance;
    } rows[] = {{3, 15.75, {13.27, 14.40, 15.05}, 0.006},
                {4, 31.51, {26.53, 28.81, 30.10}, 0.006},
                {5, 63.02, {53.07, 57.62, 60.20}, 0.0065},
                // FLITs: 236 of 256 B carry TLPs.
                {6, 128.0, {102.05, 109.0, 114.0}, 0.5}};

    for (const auto& row : rows)
    {
        Set("Generation", row.generation);
        EXPECT_NEAR(pcie->GetRawRate() / kGByte, row.raw, 0.006);
        for (int i = 0; i < 3; ++i)
        {
            Set("MaxPayloadSizeBytes", 128 << i);
            EXPECT_NEAR(pcie->GetTlpPayloadRate() / kGByte, row.payload[i], row.tolerance)
                << row.generation << " " << (128 << i);
        }
    }
    Set("Generation", 5);
    Set("Lanes", 8);
    EXPECT_NEAR(pcie->GetRawRate() / kGByte, 31.51, 0.006);
}

TEST_F(Pcie, MeasuredRates)
{
    // Host to device on an H100, generation 5 x16: 54.8 GB/s; between two GPUs 54.3 GB/s.
    EXPECT_NEAR(pcie->GetWriteRate() / kGByte, 54.8, 0.55);
    EXPECT_EQ(pcie->GetReadRate(), pcie->GetWriteRate());
    // Generation 5 carries a NIC of 400 Gb/s, generation 4 does not: its cap is 28.8 GB/s at most.
    EXPECT_GT(pcie->GetWriteRate(), 400e9);
    Set("Generation", 4);
    EXPECT_NEAR(pcie->GetWriteRate() / kGByte, 28.81 * 0.95, 0.006);
}

TEST_F(Pcie, WindowsOverRoundTrip)
{
    // Filling 57.6 GB/s over 1 us takes 3600 credits of 16 B; 256 reads of 512 B give 131 GB/s.
    pcie->SetAttribute("DllpOverheadRatio", DoubleValue(0));
    Set("PostedDataCredits", 3600);
    EXPECT_NEAR(pcie->GetWriteRate() / kGByte, 57.6, 1e-9);
    Set("PostedDataCredits", 1800);
    EXPECT_NEAR(pcie->GetWriteRate() / kGByte, 28.8, 1e-9);
    EXPECT_NEAR(pcie->GetReadRate() / kGByte, 57.62, 0.006);
    Set("Generation", 6);
    Set("Lanes", 32);
    EXPECT_NEAR(pcie->GetReadRate() / kGByte, 131.07, 0.006);
    Set("MaxReadRequestBytes", 128);
    EXPECT_NEAR(pcie->GetReadRate() / kGByte, 32.77, 0.006);
}

TEST_F(Pcie, PathsThroughCpus)
{
    // NVIDIA/nccl issue 412: 16 instead of 24 GB/s of generation 4 through the host bridge.
    const double near = pcie->GetWriteRate();
    pcie->SetAttribute("GpuNicPath", StringValue("PXB"));
    EXPECT_EQ(pcie->GetWriteRate(), near);
    pcie->SetAttribute("GpuNicPath", StringValue("PHB"));
    EXPECT_DOUBLE_EQ(pcie->GetWriteRate(), near * 16 / 24);
    pcie->SetAttribute("GpuNicPath", StringValue("SYS"));
    EXPECT_DOUBLE_EQ(pcie->GetWriteRate() / kGByte, 22);
    Set("Generation", 3);
    EXPECT_NEAR(pcie->GetWriteRate() / kGByte, 14.40 * 0.95 * 2 / 3, 0.006);
}

TEST_F(Pcie, RefusesWhatDoesNotExist)
{
    EXPECT_EQ(Refusal("GpuNicPath", StringValue("PIC")),
              "gpu_nic_path: unknown path 'PIC', did you mean 'PIX'?");
    EXPECT_EQ(Refusal("MaxPayloadSizeBytes", UintegerValue(200)),
              "max_payload_size_bytes: found 200, expected a power of two from 128 to 4096");
    EXPECT_EQ(Refusal("MaxReadRequestBytes", UintegerValue(64)),
              "max_read_request_bytes: found 64, expected a power of two from 128 to 4096");
    EXPECT_EQ(Refusal("Lanes", UintegerValue(0)),
              "lanes: found 0, expected a power of two from 1 to 32");
}

} // namespace
} // namespace ns3::aifabric
