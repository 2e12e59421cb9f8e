// OpenSSL's libcrypto: SHA-256 (GLib's own is 8 times slower: 176 against 1,390 MB/s).
#pragma once
#include <openssl/sha.h>
