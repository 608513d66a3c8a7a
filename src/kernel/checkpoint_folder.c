/* SPDX-License-Identifier: Apache-2.0 */
/* The generations in a folder of checkpoints: finding, making and removing them.
 *
 * A generation is a folder whose name is a decimal number without leading zeros; `.new` after it
 * means that it is not whole (yet, or any more): a generation is renamed to that before its files
 * go, so a crash at any moment leaves only whole ones under a bare number. Only files that a
 * checkpoint consists of are ever removed, and only folders that are empty then. */
#include "kernel/checkpoint_folder.h"

#include "base/memory.h"
#include "base/text.h"
#include "kernel/checkpoint.h"
#include "kernel/checkpoint_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIGITS_MAX     19 /* no number of so many digits overflows */
#define GENERATION_MAX UINT64_C(9999999999999999999)
#define KEPT           2
#define ATTEMPTS       20

/* ---- what is there ---- */

typedef struct entry {
    uint64_t generation;
    bool fresh;  /* with .new */
    bool folder; /* and not a file or a symbolic link of such a name */
} entry;

typedef struct listing {
    entry *entries; /* by generation */
    size_t n_entries, room;
} listing;

static bool parse_name(const char *name, entry *out)
{
    *out = (entry){0};
    size_t digits = strspn(name, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX || name[0] == '0')
        return false;
    for (size_t i = 0; i < digits; i++)
        out->generation = 10 * out->generation + (uint64_t)(name[i] - '0');
    out->fresh = strcmp(name + digits, ".new") == 0;
    return out->fresh || name[digits] == '\0';
}

static void list_add(listing *list, entry found)
{
    if (list->n_entries == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->entries = weft_realloc(list->entries, list->room, sizeof *list->entries);
    }
    list->entries[list->n_entries++] = found;
}

static int by_generation(const void *a, const void *b)
{
    uint64_t x = ((const entry *)a)->generation, y = ((const entry *)b)->generation;
    return (x > y) - (x < y);
}

/* False (with errno) if the folder cannot be read. list->entry is to be freed in any case. */
static bool list_folder(const char *folder, listing *list)
{
    *list = (listing){0};
    DIR *dir = opendir(folder);
    if (!dir)
        return false;
    for (struct dirent *item; (item = readdir(dir));) {
        entry found;
        struct stat info;
        if (!parse_name(item->d_name, &found))
            continue;
        found.folder = fstatat(dirfd(dir), item->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISDIR(info.st_mode);
        list_add(list, found);
    }
    (void)closedir(dir);
    if (list->n_entries > 0)
        qsort(list->entries, list->n_entries, sizeof *list->entries, by_generation);
    return true;
}

uint64_t weft_checkpoint_newest(const char *folder, uint64_t below)
{
    listing list;
    uint64_t newest = 0;
    (void)list_folder(folder, &list);
    for (size_t i = 0; i < list.n_entries; i++)
        if (list.entries[i].folder && !list.entries[i].fresh && list.entries[i].generation < below)
            newest = list.entries[i].generation;
    free(list.entries);
    return newest;
}

/* ---- removing ---- */

static bool is_ours(const char *name)
{
    if (strcmp(name, WEFT_MANIFEST) == 0)
        return true;
    return strncmp(name, "part-", 5) == 0 && name[5] &&
           name[5 + strspn(name + 5, "0123456789")] == '\0';
}

/* A folder may show not all of its entries while some are being removed: once more, then. */
static void remove_generation(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    bool again;
    do {
        again = false;
        for (struct dirent *item; (item = readdir(dir));)
            if (is_ours(item->d_name) && unlinkat(fd, item->d_name, 0) == 0)
                again = true;
        rewinddir(dir);
    } while (again);
    (void)closedir(dir);
    (void)rmdir(path);
}

static void remove_entry(const char *folder, const entry *gone)
{
    if (!gone->folder)
        return;
    char *whole = weft_checkpoint_path(folder, gone->generation, false);
    char *fresh = weft_checkpoint_path(folder, gone->generation, true);
    if (gone->fresh || rename(whole, fresh) == 0)
        remove_generation(fresh);
    free(whole);
    free(fresh);
}

/* All that are not whole, then, from the oldest on, all but the `keep` newest. */
static void keep_newest(const char *folder, size_t keep)
{
    listing list;
    (void)list_folder(folder, &list);
    size_t whole = 0;
    for (size_t i = 0; i < list.n_entries; i++) {
        if (list.entries[i].fresh)
            remove_entry(folder, &list.entries[i]);
        else if (list.entries[i].folder)
            whole++;
    }
    for (size_t i = 0; i < list.n_entries; i++)
        if (!list.entries[i].fresh && list.entries[i].folder && whole-- > keep)
            remove_entry(folder, &list.entries[i]);
    free(list.entries);
}

void weft_folder_prune(const char *folder)
{
    keep_newest(folder, KEPT);
}

void weft_checkpoint_abandon(const char *folder, uint64_t generation)
{
    remove_entry(folder, &(entry){.generation = generation, .fresh = true, .folder = true});
}

/* The folder that holds this one: "." if the path does not name it, to be freed. */
void weft_checkpoint_discard(const char *folder, uint64_t generation)
{
    remove_entry(folder, &(entry){.generation = generation, .folder = true});
}

static char *parent_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length == 0 ? weft_text_copy(".") : weft_text_copy_part(path, length);
}

void weft_checkpoint_remove(const char *folder)
{
    keep_newest(folder, 0);
    if (rmdir(folder) != 0)
        return;
    char *parent = parent_of(folder);
    (void)rmdir(parent); /* says no if it is not empty, or the working directory */
    free(parent);
}

void weft_checkpoint_remove_all(const char *above)
{
    DIR *dir = opendir(above);
    if (!dir)
        return;
    for (struct dirent *item; (item = readdir(dir));)
        if (item->d_name[0] != '.') {
            char *folder = weft_text_format("%s/%s", above, item->d_name);
            weft_checkpoint_remove(folder);
            free(folder);
        }
    (void)closedir(dir);
    (void)rmdir(above);
}

/* ---- making ---- */

static weft_status cannot_make(const char *path, int why, weft_error *err)
{
    return weft_fail(err, WEFT_STOPPED, "%s: cannot make this folder: %s", path,
                     why == EEXIST ? "a file of this name is there" : strerror(why));
}

/* The folder and those above it. Another run may take an empty one away (weft_checkpoint_remove)
 * before we have put something into it: then once more. */
static weft_status make_folder(const char *path, weft_error *err)
{
    char *parent = parent_of(path);
    struct stat info;
    weft_status status = WEFT_OK;
    int why = mkdir(path, 0777) == 0 ? 0 : errno;
    for (int i = 0; i < ATTEMPTS && why == ENOENT && strcmp(parent, path) != 0; i++) {
        status = make_folder(parent, err);
        if (status != WEFT_OK)
            break;
        why = mkdir(path, 0777) == 0 ? 0 : errno;
    }
    if (status == WEFT_OK && why == 0)
        status = weft_folder_sync(parent, err);
    else if (status == WEFT_OK &&
             !(why == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        status = cannot_make(path, why, err);
    free(parent);
    return status;
}

weft_status weft_checkpoint_begin(const char *folder, uint64_t *generation, weft_error *err)
{
    WEFT_TRY(make_folder(folder, err));
    listing list;
    if (!list_folder(folder, &list))
        return weft_fail(err, WEFT_STOPPED, "%s: cannot read this folder: %s", folder,
                         strerror(errno));
    uint64_t newest = list.n_entries > 0 ? list.entries[list.n_entries - 1].generation : 0;
    for (size_t i = 0; i < list.n_entries; i++)
        if (list.entries[i].fresh)
            remove_entry(folder, &list.entries[i]);
    free(list.entries);
    if (newest >= GENERATION_MAX)
        return weft_fail(err, WEFT_STOPPED, "%s: no number is left after %" PRIu64, folder, newest);
    *generation = newest + 1;
    char *path = weft_checkpoint_path(folder, *generation, true);
    weft_status status = make_folder(path, err);
    free(path);
    return status;
}

weft_status weft_folder_publish(const char *folder, uint64_t generation, weft_error *err)
{
    char *whole = weft_checkpoint_path(folder, generation, false);
    char *fresh = weft_checkpoint_path(folder, generation, true);
    weft_status status = weft_folder_sync(fresh, err);
    if (status == WEFT_OK && rename(fresh, whole) != 0)
        status = weft_fail(err, WEFT_STOPPED, "%s: cannot rename to %s: %s", fresh, whole,
                           strerror(errno));
    if (status == WEFT_OK)
        status = weft_folder_sync(folder, err);
    free(whole);
    free(fresh);
    return status;
}
