// What the experiments keep from one frame to the next: numbers and scenes that are slow to make. No choices.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ui/frame/frame.h"
#include "ui/kit/scene_pen.h"
#include "views/dots/dot_experiment.h"
#include "views/softmax/softmax_scene.h"

namespace attn {

// What the pictures of the random pairs are made of.
struct PairsKey {
    int num_drawn;
    std::uint64_t seed;
    int dim;
    float width;
    double plot_height;

    bool operator==(const PairsKey&) const = default;
};

// Of the table of costs.
struct CostKey {
    int version;  // of the evaluation
    float width;

    bool operator==(const CostKey&) const = default;
};

// Of the picture of a softmax.
struct SoftmaxKey {
    std::vector<float> vector;
    double gain;
    int lit;
    SoftmaxLayout layout;

    bool operator==(const SoftmaxKey&) const = default;
};

struct ExperimentMemory {
    std::optional<DotExperiment> pairs;  // of view=dots, as far as it has come
    std::vector<HeadDimStep> steps;      // of the sentence with other head_dims
    int steps_version = -1;              // of the evaluation they belong to
    KeptScene<PairsKey> variances, histograms;
    KeptScene<CostKey> cost;
    KeptScene<SoftmaxKey> softmax;
    int explained_number = -1;  // of view=softmax; -1: the largest
};

// The memory that the panels share; made on first use.
ExperimentMemory& experiments(Display& display);

}  // namespace attn
