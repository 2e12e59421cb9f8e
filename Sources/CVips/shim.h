// libvips: what the worker decodes and encodes with.
#pragma once
#include <vips/vips.h>
