#include "claim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

enum { CLAIMS_MAX = 16, TRIES_MAX = 100, NAME_ROOM = 256 };

/* What can be seen of a file without reading it. */
typedef struct look {
    bool known; /* the system could say whether it is there */
    bool there;
    bool regular;
    struct stat file;
} look;

/* A place that a path names: a folder, which stays the same whatever becomes of its name, and a
 * name in it. */
typedef struct place {
    int folder; /* -1: none */
    struct stat about;
    char name[NAME_ROOM];
} place;

typedef struct claim {
    place at;
    char lock[NAME_ROOM]; /* the name of the lock file */
    int file;             /* the lock file; -1: held without one */
    size_t count;         /* how often it was taken */
    look seen;
} claim;

/* One process writes few files. `used` grows before its claim is taken into account by a signal,
 * and a claim that was given back has a count of 0. */
static claim claims[CLAIMS_MAX];
static pid_t owner;

static look look_at(const place *at) {
    look out = {.there = fstatat(at->folder, at->name, &out.file, AT_SYMLINK_NOFOLLOW) == 0};
    out.known = out.there || errno == ENOENT;
    out.regular = out.there && S_ISREG(out.file.st_mode);
    return out;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool same_look(const look *a, const look *b) {
    if (!a->known || !b->known) {
        return true;
    }
    if (!a->there || !b->there) {
        return a->there == b->there;
    }
    return same_file(&a->file, &b->file) && a->file.st_size == b->file.st_size &&
           a->file.st_mtim.tv_sec == b->file.st_mtim.tv_sec &&
           a->file.st_mtim.tv_nsec == b->file.st_mtim.tv_nsec;
}

static void close_place(place *at) {
    if (at->folder >= 0) {
        close(at->folder);
    }
    at->folder = -1;
}

/* Whether the system failed. Any other cause is one of a place where nothing can be written, or of
 * a file system without locks. */
static bool is_failure(int cause) {
    return cause == EMFILE || cause == ENFILE || cause == ENOMEM || cause == EIO || cause == EINTR;
}

/* Where the file behind all links is, or would be made. False for what needs no claim, and, with
 * errno, where the system fails. */
static bool find_place(const char *path, place *out) {
    char real[PATH_MAX];
    char folder[PATH_MAX];
    struct stat file;
    *out = (place){.folder = -1};
    errno = 0;
    if (path == NULL || strcmp(path, "-") == 0) {
        return false;
    }
    if (lstat(path, &file) == 0 && S_ISLNK(file.st_mode) && realpath(path, real) != NULL) {
        path = real;
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (*name == '\0' || strlen(name) >= sizeof out->name || length >= sizeof folder) {
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    memcpy(out->name, name, strlen(name) + 1);
    out->folder = open(length > 0 ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (out->folder < 0 || fstat(out->folder, &out->about) != 0) {
        int cause = errno;
        close_place(out);
        errno = cause;
        return false;
    }
    look now = look_at(out);
    if (now.there && !now.regular && !S_ISLNK(now.file.st_mode)) {
        close_place(out);
        errno = 0;
        return false;
    }
    return true;
}

/* The claim of a path; NULL: there is none. */
static claim *find_claim(const char *path) {
    place at;
    claim *found = NULL;
    if (!find_place(path, &at)) {
        return NULL;
    }
    for (size_t i = 0; i < CLAIMS_MAX && found == NULL; i++) {
        claim *c = &claims[i];
        if (c->count > 0 && same_file(&c->at.about, &at.about) &&
            strcmp(c->at.name, at.name) == 0) {
            found = c;
        }
    }
    close_place(&at);
    return found;
}

/* Of a name that has no room for an ending, the begin and a number that stands for all of it. */
static void name_lock(claim *c) {
    static const char ending[] = ".isocast-lock";
    enum { KEPT = 200 };
    if (strlen(c->at.name) + sizeof ending + 1 <= NAME_MAX) {
        (void)snprintf(c->lock, sizeof c->lock, ".%.*s%s", NAME_MAX - (int)sizeof ending,
                       c->at.name, ending);
        return;
    }
    uint32_t sum = 2166136261U;
    for (const char *byte = c->at.name; *byte != '\0'; byte++) {
        sum = (sum ^ (unsigned char)*byte) * 16777619U;
    }
    snprintf(c->lock, sizeof c->lock, ".%.*s-%08x%s", KEPT, c->at.name, sum, ending);
}

/* Opens the lock file, or makes it. A shared folder may forbid to open another's file with
 * O_CREAT, and its lock is everybody's. */
static int open_lock(const claim *c) {
    const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    for (int i = 0; i < TRIES_MAX; i++) {
        int file = openat(c->at.folder, c->lock, flags);
        if (file >= 0 || errno != ENOENT) {
            return file;
        }
        file = openat(c->at.folder, c->lock, flags | O_CREAT | O_EXCL, 0666);
        if (file >= 0) {
            (void)fchmod(file, 0666);
            return file;
        }
        if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

/* Whether the name still is that of the lock file: its last holder removes it. Where the system
 * cannot say, it is. */
static bool is_named(const claim *c) {
    struct stat opened;
    struct stat named;
    if (fstatat(c->at.folder, c->lock, &named, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno != ENOENT;
    }
    return fstat(c->file, &opened) != 0 || same_file(&opened, &named);
}

static void drop_lock(claim *c, bool removes) {
    if (c->file < 0) {
        return;
    }
    /* A second try costs nothing, and a lock file that stays would be seen. */
    if (removes && is_named(c) && unlinkat(c->at.folder, c->lock, 0) != 0) {
        (void)unlinkat(c->at.folder, c->lock, 0);
    }
    close(c->file);
    c->file = -1;
}

static void say_held(const claim *c, const char *path, isocast_buffer *why) {
    struct flock holder = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char who[48] = "another isocast";
    if (fcntl(c->file, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK && holder.l_pid > 0) {
        snprintf(who, sizeof who, "another isocast (process %ld)", (long)holder.l_pid);
    }
    isocast_buffer_printf(why,
                          "%s is writing '%s', which is left as it is: wait until that has ended, "
                          "or name another file",
                          who, path);
}

static void say_failed(const char *path, int cause, isocast_buffer *why) {
    isocast_buffer_printf(why, "cannot claim '%s' for writing: %s", path, strerror(cause));
}

static void say_changed(const char *path, isocast_buffer *why) {
    isocast_buffer_printf(why,
                          "'%s' was written by something else while this command ran, and is left "
                          "as it is: run the command again to write it, or name another file",
                          path);
}

/* POSIX locks: they end with the process, its children do not hold them, and the holder is known.
 * False where another process has it, or the system fails. */
static bool lock(claim *c, const char *path, isocast_buffer *why) {
    for (int i = 0; i < TRIES_MAX; i++) {
        c->file = open_lock(c);
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        bool opened = c->file >= 0;
        if (!opened || fcntl(c->file, F_SETLK, &all) != 0) {
            int cause = errno;
            bool held = opened && (cause == EACCES || cause == EAGAIN);
            if (held) {
                say_held(c, path, why);
            } else if (is_failure(cause)) {
                say_failed(path, cause, why);
            }
            drop_lock(c, !held);
            errno = held ? EAGAIN : cause;
            return !held && !is_failure(cause);
        }
        if (is_named(c)) {
            return true;
        }
        drop_lock(c, false);
    }
    return true;
}

/* Removes the lock files, and ends as without this. */
static void end(int number) {
    for (size_t i = 0; i < CLAIMS_MAX && getpid() == owner; i++) {
        if (claims[i].count > 0 && claims[i].file >= 0) {
            (void)unlinkat(claims[i].at.folder, claims[i].lock, 0);
        }
    }
    raise(number);
}

/* Signals that would end this process. Those that somebody ignores or catches stay with them. */
static void catch_signals(void) {
    const struct sigaction action = {.sa_handler = end,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    struct sigaction before;
    for (size_t i = 0; i < launcher_signal_count && owner == 0; i++) {
        if (sigaction(launcher_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            sigaction(launcher_signals[i], &action, NULL);
        }
    }
    owner = getpid();
}

/* NULL: all are in use. */
static claim *free_claim(void) {
    for (size_t i = 0; i < CLAIMS_MAX; i++) {
        if (claims[i].count == 0) {
            return &claims[i];
        }
    }
    return NULL;
}

/* A child that was forked has none of its parent's claims. */
static void forget_parent(void) {
    for (size_t i = 0; owner != 0 && owner != getpid() && i < CLAIMS_MAX; i++) {
        claims[i] = (claim){.file = -1};
    }
    owner = owner == getpid() ? owner : 0;
}

isocast_status campaign_claim_take(const char *path, isocast_buffer *why) {
    forget_parent();
    claim *known = find_claim(path);
    if (known != NULL) {
        known->count++;
        return ISOCAST_OK;
    }
    claim new = {.file = -1};
    claim *kept = free_claim();
    if (kept == NULL) {
        return ISOCAST_OK;
    }
    if (!find_place(path, &new.at)) {
        int cause = errno;
        if (!is_failure(cause)) {
            return ISOCAST_OK;
        }
        say_failed(path, cause, why);
        errno = cause;
        return ISOCAST_IO;
    }
    name_lock(&new);
    look before = look_at(&new.at);
    errno = EAGAIN;
    if (!lock(&new, path, why)) {
        int cause = errno;
        close_place(&new.at);
        errno = cause;
        return ISOCAST_IO;
    }
    new.seen = look_at(&new.at);
    if (!same_look(&before, &new.seen)) {
        say_changed(path, why);
        drop_lock(&new, true);
        close_place(&new.at);
        errno = EAGAIN;
        return ISOCAST_IO;
    }
    catch_signals();
    *kept = new;
    kept->count = 1;
    return ISOCAST_OK;
}

typedef struct named_place {
    place at;
    const char *path;
} named_place;

/* Any order will do that is the same in all processes. */
static int by_place(const void *first, const void *second) {
    const place *a = &((const named_place *)first)->at;
    const place *b = &((const named_place *)second)->at;
    int order = memcmp(&a->about.st_dev, &b->about.st_dev, sizeof a->about.st_dev);
    order = order != 0 ? order : memcmp(&a->about.st_ino, &b->about.st_ino, sizeof a->about.st_ino);
    return order != 0 ? order : strcmp(a->name, b->name);
}

isocast_status campaign_claim_take_all(const char *const *paths, size_t count,
                                       isocast_buffer *why) {
    named_place places[CLAIMS_MAX];
    size_t used = count < CLAIMS_MAX ? count : CLAIMS_MAX;
    for (size_t i = 0; i < used; i++) {
        places[i].path = paths[i];
        (void)find_place(paths[i], &places[i].at); /* a failure comes again, and is noted then */
        close_place(&places[i].at);
    }
    qsort(places, used, sizeof *places, by_place);
    for (size_t i = 0; i < used; i++) {
        isocast_status status = campaign_claim_take(places[i].path, why);
        while (status != ISOCAST_OK && i-- > 0) {
            campaign_claim_release(places[i].path);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return ISOCAST_OK;
}

isocast_status campaign_claim_take_for(const campaign_listener *listener, const char *path) {
    isocast_buffer why = {0};
    isocast_status status = campaign_claim_take(path, &why);
    if (status != ISOCAST_OK) {
        campaign_fail(listener, status, "%s",
                      why.text != NULL ? why.text : "another command is writing the output");
    }
    isocast_buffer_free(&why);
    return status;
}

bool campaign_claim_try(const char *path) {
    isocast_buffer why = {0};
    bool taken = campaign_claim_take(path, &why) == ISOCAST_OK;
    int cause = errno;
    isocast_buffer_free(&why);
    errno = cause;
    return taken;
}

isocast_status campaign_claim_check(const char *path, isocast_buffer *why) {
    const claim *c = find_claim(path);
    if (c == NULL) {
        return ISOCAST_OK;
    }
    look now = look_at(&c->at);
    if (same_look(&c->seen, &now)) {
        return ISOCAST_OK;
    }
    say_changed(path, why);
    return ISOCAST_IO;
}

void campaign_claim_written(const char *path) {
    claim *c = find_claim(path);
    if (c != NULL) {
        c->seen = look_at(&c->at);
    }
}

static void give_back(claim *c) {
    drop_lock(c, true);
    close_place(&c->at);
    c->count = 0;
}

void campaign_claim_release(const char *path) {
    claim *c = find_claim(path);
    if (c != NULL && c->count > 1) {
        c->count--;
    } else if (c != NULL) {
        give_back(c);
    }
}

void campaign_claims_release(void) {
    for (size_t i = 0; i < CLAIMS_MAX; i++) {
        if (claims[i].count > 0) {
            give_back(&claims[i]);
        }
    }
}
