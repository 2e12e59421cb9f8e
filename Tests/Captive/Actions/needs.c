#define _GNU_SOURCE
#include "attempt.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

static char buffer[4096];

// As GLib's threads begin.
static void *take_name(void *failure) {
    *(int *)failure = pthread_setname_np(pthread_self(), "captive");
    return NULL;
}

static long start_thread(void) {
    pthread_t thread;
    int failure = 0;
    errno = pthread_create(&thread, NULL, take_name, &failure);
    if (errno == 0) errno = pthread_join(thread, NULL);
    if (errno == 0) errno = failure;
    return errno == 0 ? 0 : -1;
}

static long map(int descriptor, int protection) {
    int flags = MAP_PRIVATE | (descriptor < 0 ? MAP_ANONYMOUS : 0);
    return mmap(NULL, 4096, protection, flags, descriptor, 0) == MAP_FAILED ? -1 : 0;
}

static long send_rights(int descriptor) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    *(int *)CMSG_DATA(&control.header) = descriptor;
    struct iovec vector = {"x", 1};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    return sendmsg(3, &message, MSG_NOSIGNAL);
}

ATTEMPT(nothing_at_all, 0)
ATTEMPT(read_source, lseek(context->source, 0, SEEK_SET) < 0 ? -1 : read(context->source, buffer, 1))
ATTEMPT(map_source, map(context->source, PROT_READ))
ATTEMPT(write_result, write(context->result, buffer, sizeof buffer))
ATTEMPT(map_memory, map(-1, PROT_READ | PROT_WRITE))
// Loops that libvips compiles.
ATTEMPT(memory_to_run, map(-1, PROT_READ | PROT_WRITE | PROT_EXEC))
ATTEMPT(thread, start_thread())
ATTEMPT(close_result, close(context->result))
// Nobody keeps it from being sent; the supervisor does not take it.
ATTEMPT(give_descriptor, send_rights(context->result))
// Nobody hears it.
ATTEMPT(complain, write(2, "captive\n", 8))

const captive_action captive_needs[] = {
    PROVED("nothing", nothing_at_all, 0),
    PROVED("read the source", read_source, 0),
    PROVED("map the source", map_source, 0),
    PROVED("write a result", write_result, 0),
    PROVED("map memory", map_memory, 0),
    PROVED("map memory for code", memory_to_run, 0),
    PROVED("start a thread", thread, 0),
    PROVED("close the result", close_result, 0),
    PROVED("send a descriptor", give_descriptor, 0),
    PROVED("write to standard error", complain, 0),
    END,
};
