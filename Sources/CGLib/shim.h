// GLib for the supervisor: command-line options (GOption), key files (GKeyFile) and GLib's own messages.
#pragma once
#include <glib.h>
