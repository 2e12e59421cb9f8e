// What the pipeline needs and Swift cannot express.
#pragma once
#include "affinity.h"
#include "resample.h"
