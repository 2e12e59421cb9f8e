// libexif: orientation and the presence of GPS, camera and date.
#pragma once
#include <libexif/exif-data.h>
