// A process that does nothing but fork itself when it is told to.
//
// In C because Swift has no fork(2), and because between the fork and the child's first job nothing may run that could
// start a thread or wait for one.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// What the other end of the socket asks for.
typedef struct {
    /// 0 to fork, with one descriptor: the child's own socket. Else the process to wait for.
    int32_t pid;
} linux_fork_request;

/// The answer to a request.
typedef struct {
    /// An errno when the request failed, else 0.
    int32_t error;
    /// The child that was forked, with one descriptor, its pidfd; or the one that was waited for.
    int32_t pid;
    /// How a process that was waited for ended, as waitpid(2) tells it.
    int32_t status;
    /// Most memory that it had resident, in KiB.
    int64_t peak_kib;
} linux_fork_reply;

/// Answers requests on `socket` until its other end is closed.
///
/// Returns 0 in a new child, which has its own socket as descriptor `socket` in place of the server's; -1 in the server
/// when it cannot go on, with errno 0 when the other end was closed. The calling process has to have one thread.
int linux_fork_server(int socket);
