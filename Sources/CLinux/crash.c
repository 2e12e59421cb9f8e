#define _GNU_SOURCE
#include "crash.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Marks are never given back to the allocator, only used again: the handler walks the list in whatever state the
// process is. It looks at the names of a mark only where its own thread holds that mark, and they change only while
// nobody holds it.
struct linux_crash_mark {
    _Atomic(pid_t) holder;
    atomic_bool is_used;
    char *from;
    char *to;
    struct linux_crash_mark *next;
};

static _Atomic(struct linux_crash_mark *) marks;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

static pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

static void handle(int number, siginfo_t *information, void *context) {
    (void)context;
    int error = errno;
    // A watchdog's SIGABRT comes from outside and says nothing about the file that this thread happens to hold.
    if (information->si_code > 0 || information->si_pid == getpid()) {
        pid_t self = thread_id();
        for (struct linux_crash_mark *mark = atomic_load(&marks); mark != NULL; mark = mark->next) {
            if (atomic_load(&mark->holder) == self) rename(mark->from, mark->to);
        }
    }
    // By hand and not by SA_RESETHAND: another thread that dies meanwhile has to get here as well.
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(number, &standard, NULL);
    // Blocked until the handler returns.
    raise(number);
    errno = error;
}

enum { stack_size = 64 << 10 };

static pthread_key_t stack_key;

static void free_stack(void *stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    munmap(stack, stack_size);
}

static void install(void) {
    pthread_key_create(&stack_key, free_stack);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t index = 0; index < sizeof fatal_signals / sizeof *fatal_signals; index++) {
        sigaction(fatal_signals[index], &action, NULL);
    }
}

static pthread_once_t installed = PTHREAD_ONCE_INIT;

// A thread that has run out of stack can run a handler only on another one. Without memory for it there is none: then
// an overflow goes unmarked, and the count of attempts has to do.
static void provide_stack(void) {
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
    void *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return;
    stack_t own = {.ss_sp = stack, .ss_size = stack_size};
    if (pthread_setspecific(stack_key, stack) != 0 || sigaltstack(&own, NULL) != 0) {
        pthread_setspecific(stack_key, NULL);
        munmap(stack, stack_size);
    }
}

static struct linux_crash_mark *unused_mark(void) {
    for (struct linux_crash_mark *mark = atomic_load(&marks); mark != NULL; mark = mark->next) {
        bool is_used = false;
        if (atomic_compare_exchange_strong(&mark->is_used, &is_used, true)) return mark;
    }
    struct linux_crash_mark *mark = calloc(1, sizeof *mark);
    if (mark == NULL) return NULL;
    atomic_init(&mark->is_used, true);
    mark->next = atomic_load(&marks);
    while (!atomic_compare_exchange_weak(&marks, &mark->next, mark)) {
    }
    return mark;
}

linux_crash_mark *linux_crash_mark_create(const char *from, const char *to) {
    pthread_once(&installed, install);
    char *own_from = strdup(from);
    char *own_to = strdup(to);
    struct linux_crash_mark *mark = own_from != NULL && own_to != NULL ? unused_mark() : NULL;
    if (mark == NULL) {
        free(own_from);
        free(own_to);
        errno = ENOMEM;
        return NULL;
    }
    mark->from = own_from;
    mark->to = own_to;
    return mark;
}

void linux_crash_mark_hold(linux_crash_mark *mark) {
    provide_stack();
    atomic_store(&mark->holder, thread_id());
}

void linux_crash_mark_release(linux_crash_mark *mark) { atomic_store(&mark->holder, 0); }

void linux_crash_mark_free(linux_crash_mark *mark) {
    atomic_store(&mark->holder, 0);
    free(mark->from);
    free(mark->to);
    mark->from = mark->to = NULL;
    atomic_store(&mark->is_used, false);
}
