"""Shut a process off from the machine that it runs on.

Runs inside that process, on the standard library alone.
"""

import ctypes
import errno
import os
import resource
import signal
import struct
import sys

# The user and the group of processes that root starts: nobody's, who owns no file.
NOBODY = 65534
FILE_BYTES = 10 * 2**20
OPEN_FILES = 32

# System calls that fail with EPERM: a name, and its number on x86_64 and aarch64 (asm/unistd_64.h
# and asm-generic/unistd.h), `-` where the machine has no such call.
DENIED = (
    # other processes: none is started, joined, looked into or signalled
    "fork:57:- vfork:58:- execve:59:221 execveat:322:281 setsid:112:157 setpgid:109:154 "
    "tkill:200:130 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 ptrace:101:117 "
    "process_vm_readv:310:270 process_vm_writev:311:271 kcmp:312:272 setpriority:141:140 "
    "sched_setaffinity:203:122 sched_setscheduler:144:119 sched_setparam:142:118 "
    "sched_setattr:314:274 ioprio_set:251:30 migrate_pages:256:238 move_pages:279:239 "
    # the network; socketpair stays, which asyncio needs
    "socket:41:198 connect:42:203 bind:49:200 listen:50:201 accept:43:202 accept4:288:242 "
    "sendmsg:46:211 sendmmsg:307:269 "
    # memory and messages that outlive a process, or that no limit counts
    "memfd_create:319:279 shmget:29:194 msgget:68:186 semget:64:190 mq_open:240:180 "
    "add_key:248:217 request_key:249:218 keyctl:250:219 "
    # what Landlock does not cover; without folders in it, the process's own is quickly removed
    "mkdir:83:- mkdirat:258:34 truncate:76:45 chmod:90:- fchmod:91:52 fchmodat:268:53 "
    "chown:92:- lchown:94:- fchown:93:55 fchownat:260:54 utime:132:- utimes:235:- "
    "futimesat:261:- utimensat:280:88 setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 "
    "removexattr:197:14 lremovexattr:198:15 fremovexattr:199:16 name_to_handle_at:303:264 "
    "open_by_handle_at:304:265 "
    # the machine itself
    "setrlimit:160:164 unshare:272:97 setns:308:268 chroot:161:51 pivot_root:155:41 "
    "mount:165:40 umount2:166:39 bpf:321:280 perf_event_open:298:241 userfaultfd:323:282 "
    "init_module:175:105 finit_module:313:273 delete_module:176:106 kexec_load:246:104 "
    "kexec_file_load:320:294 reboot:169:142 swapon:167:224 swapoff:168:225 acct:163:89 "
    "quotactl:179:60 settimeofday:164:170 clock_settime:227:112 clock_adjtime:305:266 "
    "adjtimex:159:171 sethostname:170:161 setdomainname:171:162 syslog:103:116 "
    "vhangup:153:58 iopl:172:- ioperm:173:- modify_ldt:154:- "
)
# Calls that depend on an argument.
GUARDED: dict[str, tuple[int, int]] = {
    "clone": (56, 220),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "prctl": (157, 167),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "prlimit64": (302, 261),
    "sendto": (44, 206),
}
# Calls since Linux 5.1 have one number everywhere: io_uring, pidfd, clone3, new ways to mount. They
# fail with ENOSYS, as on an older kernel, and libraries fall back on what is listed here.
FIRST_NEW_CALL = 424

# The instructions of a filter (linux/bpf_common.h) and its verdicts (linux/seccomp.h).
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # places in `struct seccomp_data`
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # linux/audit.h
CLONE_THREAD = 0x10000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
# F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN, SIOCSPGRP, TIOCSTI: signals, or keys, for others.
OWNER_COMMANDS = (8, 10, 15)
OWNER_REQUESTS = (0x8901, 0x8902, 0x5412)

# Rights of Landlock (linux/landlock.h).
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_REG, TRUNCATE = 2, 4, 8, 32, 256, 1 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many a version knows; later ones know 16
SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")

LIBC = ctypes.CDLL(None, use_errno=True)


def confine(
    folder: str | None,
    files: tuple[str, ...],
    memory_bytes: int,
    cpu_seconds: int,
    children: tuple[int, ...] = (),
) -> list[str]:
    """Shut this process off, and return what is in force: `limits`, `landlock`, `user`, `seccomp`.

    It keeps `folder` to write in (None: it writes nowhere), and `files` and Python's own library to
    read. It starts no process, signals none but itself and `children`, opens no connection, and
    ends with the process that started it. A system without such means is left with the limits.
    """
    starter = os.getppid()
    limit(memory_bytes, cpu_seconds)
    if sys.platform != "linux":
        return ["limits"]
    library = os.path.dirname(os.__file__)
    process_control(PR_SET_NO_NEW_PRIVS, 1)
    readable = [library, os.path.join(sys.base_prefix, "lib"), *SYSTEM, *files]
    readable += [os.path.join(sys.base_exec_prefix, sys.platlibdir)]
    readable += os.environ.get("LD_LIBRARY_PATH", "").split(":")
    in_force = ["limits"]
    if restrict_files(folder, readable):
        in_force.append("landlock")
    if os.getuid() == 0 and all(may_pass(path) for path in (library, *files)):
        in_force += ["user"] if become_nobody(folder) else []
    give_up_rights()
    process_control(PR_SET_DUMPABLE, 0)  # no other process of this user looks into this one
    process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != starter:
        os._exit(1)  # it ended before this one was bound to it
    if filter_calls((os.getpid(), *children)):
        in_force.append("seccomp")
    return in_force


def limit(memory_bytes: int, cpu_seconds: int) -> None:
    """Set the limits of this process; root's processes as well cannot raise them afterwards."""
    for kind, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, highest = resource.getrlimit(kind)
        allowed = value if highest == resource.RLIM_INFINITY else min(value, highest)
        try:
            resource.setrlimit(kind, (allowed, allowed))
        except (OSError, ValueError):
            if sys.platform == "linux":  # macOS has no limit of the address space
                raise
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that grows too large is an OSError


def process_control(option: int, value: int) -> None:
    """Call prctl; raises OSError."""
    if LIBC.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")


def may_pass(path: str) -> bool:
    """Whether nobody can read what is at a path: else root is kept back by Landlock alone."""
    while path != os.path.dirname(path):
        if not os.stat(path).st_mode & (0o001 if os.path.isdir(path) else 0o004):
            return False
        path = os.path.dirname(path)
    return True


def become_nobody(folder: str | None) -> bool:
    """Give root's rights up; False where the container knows no other user, or forbids to be it."""
    try:
        if folder is not None:
            os.chown(folder, NOBODY, NOBODY)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError:
        return False
    return True


def give_up_rights() -> None:
    """Give up what root may do beyond other users, where this process has to stay root's."""
    version_3, this_process = 0x20080522, 0
    if LIBC.capset(struct.pack("Ii", version_3, this_process), bytes(24)) != 0:
        raise OSError(ctypes.get_errno(), "capset failed")


def restrict_files(folder: str | None, readable: list[str]) -> bool:
    """Take all files but these away with Landlock; False where the kernel has none.

    Other processes cannot be looked into through /proc then either.
    """
    create, add_rule, restrict_self = 444, 445, 446
    version = LIBC.syscall(create, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << RIGHTS.get(version, 16)) - 1
    rules = LIBC.syscall(create, struct.pack("=Q", handled), 8, 0)
    if rules < 0:
        return False
    granted = [(path, READ_FILE | READ_DIR) for path in readable]
    granted += [(path, READ_FILE | WRITE_FILE) for path in DEVICES]
    if folder is not None:
        own = READ_FILE | READ_DIR | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE
        granted.append((folder, own))
    for path, rights in granted:
        if not os.path.exists(path):
            continue
        # The kernel refuses rights of a folder for a file, and those that it does not know.
        known = handled if os.path.isdir(path) else READ_FILE | WRITE_FILE
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        beneath = struct.pack("=Qi", rights & known, place)
        if LIBC.syscall(add_rule, rules, 1, beneath, 0) != 0:
            raise OSError(ctypes.get_errno(), f"Landlock refuses a rule for {path}")
        os.close(place)
    if LIBC.syscall(restrict_self, rules, 0) != 0:
        raise OSError(ctypes.get_errno(), "Landlock refuses its rules")
    os.close(rules)
    return True


def filter_calls(processes: tuple[int, ...]) -> bool:
    """Let the kernel refuse system calls from now on; False where it has no filter.

    `processes` are those that may be signalled.
    """
    machine = os.uname().machine
    if machine not in MACHINES:
        return False
    instructions = calls_filter(machine, processes)
    # `struct sock_fprog`: how many instructions of eight bytes, and where they are.
    text = ctypes.create_string_buffer(instructions, len(instructions))
    program = struct.pack("HxxxxxxQ", len(instructions) // 8, ctypes.addressof(text))
    seccomp_mode_filter = 2
    if LIBC.prctl(PR_SET_SECCOMP, seccomp_mode_filter, program, 0, 0) == 0:
        return True
    if ctypes.get_errno() == errno.EINVAL:  # a kernel that was built without it
        return False
    raise OSError(ctypes.get_errno(), "seccomp refuses its filter")


def calls_filter(machine: str, processes: tuple[int, ...]) -> bytes:
    """The filter's program: each call that it does not name is let through."""
    column, architecture = MACHINES[machine]
    number = {name: numbers[column] for name, numbers in GUARDED.items()}
    refuse = (RETURN, FAIL | errno.EPERM)
    lines: list[tuple[int, ...]] = [
        *((LOAD, MACHINE), (EQUAL, architecture, 1, 0), (RETURN, KILL)),
        *((LOAD, NUMBER), (AT_LEAST, FIRST_NEW_CALL, 0, 1), (RETURN, FAIL | errno.ENOSYS)),
    ]
    for call in DENIED.split():
        found = call.split(":")[1 + column]
        lines += [] if found == "-" else [(EQUAL, int(found), 0, 1), refuse]
    lines += checked(number["clone"], [(LOAD, argument(0)), (ANY_BIT, CLONE_THREAD, 0, 1)])
    *others, last = processes
    known = [(EQUAL, one, len(others) - at, 0) for at, one in enumerate(others)]
    for name in ("kill", "tgkill"):
        lines += checked(number[name], [(LOAD, argument(0)), *known, (EQUAL, last, 0, 1)])
    for name, position, forbidden in (
        ("prctl", 0, (PR_SET_PDEATHSIG, PR_SET_DUMPABLE)),
        ("fcntl", 1, OWNER_COMMANDS),
        ("ioctl", 1, OWNER_REQUESTS),
    ):
        tests = [(EQUAL, one, len(forbidden) - at, 0) for at, one in enumerate(forbidden)]
        lines += checked(number[name], [(LOAD, argument(position)), *tests])
    # Nothing is asked of another: a limit is read and not set, and data goes to the other end.
    for name, position in (("prlimit64", 2), ("sendto", 4)):
        low, high = argument(position), argument(position) + 4
        tests = [(LOAD, low), (EQUAL, 0, 0, 3), (LOAD, high), (EQUAL, 0, 0, 1)]
        lines += checked(number[name], tests)
    lines.append((RETURN, ALLOW))
    return b"".join(
        struct.pack("HBBI", code, *jumps or (0, 0), value) for code, value, *jumps in lines
    )


def argument(position: int) -> int:
    """The place of the lower half of an argument; both machines write it first."""
    return ARGUMENTS + 8 * position


def checked(number: int, tests: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Instructions for one call, which is let through where its tests do not jump behind that."""
    rest = [*tests, (RETURN, ALLOW), (RETURN, FAIL | errno.EPERM)]
    return [(EQUAL, number, 0, len(rest)), *rest]
