#include "attempt.h"

const captive_action *captive_actions(captive_group group) {
    switch (group) {
    case CAPTIVE_FILES: return captive_files;
    case CAPTIVE_DESCRIPTORS: return captive_descriptors;
    case CAPTIVE_SOCKETS: return captive_sockets;
    case CAPTIVE_PROCESSES: return captive_processes;
    case CAPTIVE_RIGHTS: return captive_rights;
    case CAPTIVE_KERNEL: return captive_kernel;
    case CAPTIVE_NEEDS: return captive_needs;
    }
    return NULL;
}
