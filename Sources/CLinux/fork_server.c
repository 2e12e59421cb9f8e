#define _GNU_SOURCE
#include "fork_server.h"
#include "CLinux.h"

#include <errno.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int answer(int socket, linux_fork_reply reply, int pidfd) {
    ssize_t sent;
    do sent = linux_send(socket, &reply, sizeof reply, &pidfd, pidfd >= 0 ? 1 : 0);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

static int answer_wait(int socket, pid_t pid) {
    linux_fork_reply reply = {.pid = pid};
    struct rusage usage;
    pid_t ended;
    do ended = wait4(pid, &reply.status, 0, &usage);
    while (ended < 0 && errno == EINTR);
    if (ended < 0) reply.error = errno;
    else reply.peak_kib = usage.ru_maxrss;
    return answer(socket, reply, -1);
}

int linux_fork_server(int socket) {
    for (;;) {
        linux_fork_request request;
        int descriptors[LINUX_MESSAGE_DESCRIPTORS];
        size_t count = 0;
        bool is_truncated = false;
        ssize_t received = linux_receive(socket, &request, sizeof request, descriptors, &count, &is_truncated);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) {
            if (received == 0) errno = 0;
            return -1;
        }
        if (is_truncated || received != sizeof request || count != (request.pid == 0 ? 1 : 0)) {
            errno = EBADMSG;
            return -1;
        }
        if (request.pid != 0) {
            if (answer_wait(socket, request.pid) < 0) return -1;
            continue;
        }
        pid_t pid = fork();
        if (pid == 0) {
            // The child is not to hold an end of the server's own socket for a moment longer than it must.
            if (dup3(descriptors[0], socket, 0) < 0) _exit(71);
            close(descriptors[0]);
            return 0;
        }
        linux_fork_reply reply = {.pid = pid, .error = pid < 0 ? errno : 0};
        int pidfd = -1;
        if (pid > 0) {
            pidfd = pidfd_open(pid, 0);
            if (pidfd < 0) {
                reply.error = errno;
                kill(pid, SIGKILL);
                waitpid(pid, NULL, 0);
            }
        }
        close(descriptors[0]);
        int result = answer(socket, reply, pidfd);
        if (pidfd >= 0) close(pidfd);
        if (result < 0) return -1;
    }
}
