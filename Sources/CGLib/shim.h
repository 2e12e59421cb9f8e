// GLib for the supervisor: command-line options (GOption).
#pragma once
#include <glib.h>
