#define _GNU_SOURCE
#include "attempt.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

// Abstract: a name that no file system has to allow.
static struct sockaddr_un nowhere = {.sun_family = AF_UNIX, .sun_path = "\0mediaprep-captive"};
static struct iovec vector = {"x", 1};
static struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
static struct mmsghdr messages;
static int numbers[2];
static char buffer[256];
static unsigned int length = sizeof buffer;

static long abstract_name(const captive_context *context) {
    snprintf(nowhere.sun_path + 1, sizeof nowhere.sun_path - 1, "mediaprep-captive-%d", context->result);
    return syscall(SYS_bind, 3, &nowhere, sizeof nowhere);
}

ATTEMPT(local, syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0))
ATTEMPT(datagrams, syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0))
ATTEMPT(streams, syscall(SYS_socket, AF_INET, SOCK_STREAM, 0))
ATTEMPT(streams6, syscall(SYS_socket, AF_INET6, SOCK_STREAM, 0))
ATTEMPT(netlink, syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0))
ATTEMPT(packet, syscall(SYS_socket, AF_PACKET, SOCK_RAW, 0))
ATTEMPT(machines, syscall(SYS_socket, AF_VSOCK, SOCK_STREAM, 0))
ATTEMPT(pair, syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, numbers))
ATTEMPT(connect_abstract, syscall(SYS_connect, 3, &nowhere, sizeof nowhere))
ATTEMPT(bind_abstract, abstract_name(context))
ATTEMPT(listen_socket, syscall(SYS_listen, 3, 1))
ATTEMPT(accept_socket, syscall(SYS_accept4, 3, NULL, NULL, 0))
ATTEMPT(send_to, syscall(SYS_sendto, 3, "x", 1, MSG_DONTWAIT, NULL, 0))
ATTEMPT(receive_from, syscall(SYS_recvfrom, 3, buffer, 1, MSG_DONTWAIT, NULL, NULL))
ATTEMPT(send_elsewhere, syscall(SYS_sendmsg, context->result, &message, MSG_DONTWAIT))
ATTEMPT(receive_elsewhere, syscall(SYS_recvmsg, context->result, &message, MSG_DONTWAIT))
ATTEMPT(send_many, syscall(SYS_sendmmsg, 3, &messages, 0, 0))
ATTEMPT(peer_name, syscall(SYS_getpeername, 3, buffer, &length))
ATTEMPT(peer, syscall(SYS_getsockopt, 3, SOL_SOCKET, SO_PEERCRED, buffer, &length))
ATTEMPT(credentials, syscall(SYS_setsockopt, 3, SOL_SOCKET, SO_PASSCRED, &numbers, sizeof numbers[0]))
ATTEMPT(hang_up, syscall(SYS_shutdown, 3, SHUT_WR))

const captive_action captive_sockets[] = {
    PROVED("socket AF_UNIX", local, KILLED),
    PROVED("socket AF_INET, datagrams", datagrams, KILLED),
    PROVED("socket AF_INET, TCP", streams, KILLED),
    DEPENDS("socket AF_INET6", streams6, "not every system has IPv6", KILLED),
    PROVED("socket AF_NETLINK", netlink, KILLED),
    DEPENDS("socket AF_PACKET", packet, "needs a privilege", KILLED),
    DEPENDS("socket AF_VSOCK", machines, "not every system has it", KILLED),
    PROVED("socketpair", pair, KILLED),
    ANSWERED("connect to an abstract name", connect_abstract, ECONNREFUSED, KILLED),
    PROVED("bind to an abstract name", bind_abstract, KILLED),
    ANSWERED("listen", listen_socket, EINVAL, KILLED),
    ANSWERED("accept4", accept_socket, EINVAL, KILLED),
    PROVED("sendto", send_to, KILLED),
    ANSWERED("recvfrom", receive_from, EAGAIN, KILLED),
    ANSWERED("sendmsg on another descriptor", send_elsewhere, ENOTSOCK, KILLED),
    ANSWERED("recvmsg on another descriptor", receive_elsewhere, ENOTSOCK, KILLED),
    PROVED("sendmmsg", send_many, KILLED),
    PROVED("getpeername", peer_name, EPERM),
    PROVED("getsockopt SO_PEERCRED", peer, KILLED),
    PROVED("setsockopt SO_PASSCRED", credentials, KILLED),
    PROVED("shutdown", hang_up, KILLED),
    END,
};
