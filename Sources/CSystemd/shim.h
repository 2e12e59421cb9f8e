// libsystemd: the service manager is told of readiness, reloads and progress (sd_notify, sd_watchdog_enabled).
#pragma once
#include <systemd/sd-daemon.h>
