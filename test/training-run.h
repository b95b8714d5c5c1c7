// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TRAINING_RUN_H
#define AIFABRIC_TRAINING_RUN_H

#include "alpha-beta-transport.h"

#include "ns3/job-metrics.h"
#include "ns3/training-job.h"

#include <gtest/gtest.h>

namespace ns3::aifabric
{

/// A small GPT with TP 2, PP 4, DP 2 on two servers of eight GPUs, over links of closed form.
class TrainingRun : public testing::Test
{
  protected:
    TrainingRun()
    {
        UsePicoseconds();
        settings->model->layerCount = 8;
        settings->model->hiddenSize = 1024;
        settings->model->attentionHeadCount = 16;
        settings->model->sequenceLength = 1024;
        settings->model->vocabularySize = 32000;
        settings->parallelism->tensor = 2;
        settings->parallelism->pipeline = 4;
        settings->parallelism->data = 2;
        settings->batch->globalBatchSize = 12;
    }

    ~TrainingRun() override
    {
        Simulator::Destroy();
    }

    std::map<std::string, double> Run(double rate = 1e18, bool latencies = false)
    {
        auto collectives = CreateObject<CollectiveSettings>();
        for (const char* latency : {"StepLatencyIntra", "StepLatencyInter", "LaunchLatency"})
        {
            if (!latencies)
            {
                collectives->SetAttribute(latency, TimeValue(Time(0)));
            }
        }
        TrainingJob job(settings, CreateObject<GpuSettings>(), collectives, {2, 8});
        AlphaBetaTransport net(rate, rate);
        JobRun run(job.MakePlan(), net, 0, 2);
        run.Start();
        Simulator::Run();
        EXPECT_TRUE(run.IsDone());
        Simulator::Destroy();
        return JobMetrics(job, run);
    }

    Ptr<TrainingSettings> settings = CreateObject<TrainingSettings>();
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TRAINING_RUN_H
