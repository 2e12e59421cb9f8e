#define _GNU_SOURCE
#include "affinity.h"

#include <sched.h>
#include <string.h>

_Static_assert(sizeof(cpu_set_t) == sizeof(AffinityBefore), "the mask is handed through Swift as it is");

int affinity_narrow(AffinityBefore *before)
{
    cpu_set_t allowed, one;
    int current = sched_getcpu();
    if (current < 0 || current >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return -1;
    memcpy(before, &allowed, sizeof allowed);
    CPU_ZERO(&one);
    CPU_SET(current, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

void affinity_restore(const AffinityBefore *before)
{
    cpu_set_t allowed;
    memcpy(&allowed, before, sizeof allowed);
    // Nothing can be done about a refusal, and nothing goes wrong by it: the work stays on one processor.
    (void)sched_setaffinity(0, sizeof allowed, &allowed);
}
