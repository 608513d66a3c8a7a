/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a communicator: which launcher started this process, and where the module for its MPI
 * is. The communicator of one process is kernel/exchange_self.c. */
#include "kernel/comm.h"

#include "base/memory.h"
#include "base/text.h"
#include "kernel/exchange_self.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WEFT_MODULE_FOLDER /* where modules are installed; the build says it */
#define WEFT_MODULE_FOLDER "/usr/lib/interweft"
#endif
#ifndef WEFT_MULTIARCH
#define WEFT_MULTIARCH "x86_64-linux-gnu"
#endif
#define FOLDERS 5
#define PATH    4096

typedef struct family {
    const char *name;   /* of its communicator kind and in the module's file name */
    const char *person; /* what people call it */
    const char *package;
} family;

static const family families[] = {
    {"openmpi", "Open MPI", "libopenmpi-dev"},
    {"mpich", "MPICH", "libmpich-dev"},
};
#define FAMILIES (sizeof families / sizeof *families)

const char *weft_comm_launcher(void)
{
    /* Slurm's own variables say nothing: a plain srun starts processes that do not know each
     * other. */
    if (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK"))
        return "openmpi";
    if (getenv("PMI_RANK") || getenv("PMI_SIZE") || getenv("MPI_LOCALNRANKS"))
        return "mpich";
    return NULL;
}

/* The folder this program lies in, without the last slash. */
static bool program_folder(char folder[PATH])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    assert(slash);
    *slash = '\0';
    return true;
}

/* Where modules may be, as strings to be freed; returns how many. In a build tree the tests and
 * benchmarks lie one folder below the program. */
static size_t module_folders(char *folders[FOLDERS])
{
    char here[PATH];
    size_t count = 0;
    if (program_folder(here)) {
        const char *last = strrchr(here, '/');
        folders[count++] = weft_text_format("%s", here);
        if (last && (strcmp(last, "/tests") == 0 || strcmp(last, "/bench") == 0))
            folders[count++] = weft_text_format("%.*s", (int)(last - here), here);
        folders[count++] = weft_text_format("%s/../lib/interweft", here);
        folders[count++] = weft_text_format("%s/../lib/" WEFT_MULTIARCH "/interweft", here);
    }
    folders[count++] = weft_text_copy(WEFT_MODULE_FOLDER);
    assert(count <= FOLDERS);
    return count;
}

/* The module's path, to be freed, or NULL; all places looked at are added to `looked`. */
static char *find_module(const char *name, weft_text *looked)
{
    char *folders[FOLDERS], *found = NULL;
    size_t count = module_folders(folders);
    for (size_t i = 0; i < count; i++) {
        char *path = weft_text_format("%s/interweft-mpi-%s.so", folders[i], name);
        if (!found && access(path, R_OK) == 0)
            found = weft_text_copy(path);
        weft_text_add(looked, "\n    %s", folders[i]);
        free(path);
        free(folders[i]);
    }
    return found;
}

/* A module stays loaded to the end: MPI libraries do not survive being unloaded. */
static weft_status load(const char *path, weft_comm **comm, weft_error *err)
{
    /* Global, because Open MPI's own plug-ins look for its symbols there. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (!library)
        return weft_fail(err, WEFT_BAD_INPUT, "the MPI module cannot be loaded: %s", dlerror());
    const weft_comm_module *module = dlsym(library, WEFT_COMM_SYMBOL);
    if (!module || module->abi != WEFT_COMM_ABI)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s belongs to another version of Interweft: install both from one build",
                         path);
    WEFT_TRY(module->open(comm, err));
    assert((*comm)->kind->abi == WEFT_COMM_ABI && (*comm)->rank < (*comm)->size);
    return WEFT_OK;
}

/* Opens the module of family i if it is there. */
static weft_status try_family(size_t i, weft_text *looked, bool *found, weft_comm **comm,
                              weft_error *err)
{
    char *path = find_module(families[i].name, looked);
    *found = path != NULL;
    weft_status status = path ? load(path, comm, err) : WEFT_OK;
    free(path);
    return status;
}

static weft_status open_launched(const char *launcher, weft_comm **comm, weft_error *err)
{
    size_t i = 0;
    while (strcmp(families[i].name, launcher) != 0)
        i++;
    assert(i < FAMILIES);
    weft_text looked;
    weft_text_init(&looked);
    bool found;
    weft_status status = try_family(i, &looked, &found, comm, err);
    if (!found)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "started by the launcher of %s, but the module interweft-mpi-%s.so is "
                           "not installed: build Interweft where %s is installed, or use the "
                           "launcher of the MPI it was built with; looked in%s",
                           families[i].person, launcher, families[i].package, looked.at);
    weft_text_done(&looked);
    return status;
}

static weft_status open_first(weft_comm **comm, weft_error *err)
{
    weft_text looked;
    weft_text_init(&looked);
    bool found = false;
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < FAMILIES && !found; i++) {
        weft_text_done(&looked);
        weft_text_init(&looked);
        status = try_family(i, &looked, &found, comm, err);
    }
    if (!found)
        status =
            weft_fail(err, WEFT_BAD_INPUT,
                      "MPI was asked for, but no module interweft-mpi-….so is installed: build "
                      "Interweft where libopenmpi-dev or libmpich-dev is installed; looked in%s",
                      looked.at);
    weft_text_done(&looked);
    return status;
}

weft_status weft_comm_open(bool mpi, weft_comm **comm, weft_error *err)
{
    assert(comm);
    *comm = NULL;
    const char *launcher = weft_comm_launcher();
    if (launcher)
        return open_launched(launcher, comm, err);
    if (mpi)
        return open_first(comm, err);
    *comm = weft_comm_self();
    return WEFT_OK;
}

void weft_comm_close(weft_comm *comm)
{
    if (comm)
        comm->kind->close(comm);
}

/* Members agree on how something ended, so that none waits for one that failed. */
typedef struct word {
    int64_t status;
    weft_error error;
} word;

weft_status weft_comm_agree(weft_comm *comm, weft_status status, weft_error *err)
{
    int64_t failed = status != WEFT_OK;
    if (weft_comm_size(comm) == 1)
        return status;
    comm->kind->sum(comm, &failed, 1);
    if (failed == 0)
        return WEFT_OK;
    word mine = {.status = status};
    if (status != WEFT_OK && err)
        mine.error = *err;
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size);
    void *gathered;
    comm->kind->gather(comm, &mine, sizeof mine, &gathered, sizes);
    const word *all = gathered;
    for (uint32_t r = comm->size; all && r-- > 0;)
        if (all[r].status != WEFT_OK)
            mine = all[r];
    comm->kind->broadcast(comm, &mine, sizeof mine);
    free(gathered);
    free(sizes);
    if (err)
        *err = mine.error;
    return (weft_status)mine.status;
}

weft_status weft_comm_same(weft_comm *comm, uint64_t number, const char *sentence, weft_error *err)
{
    uint64_t first = number;
    weft_status status = WEFT_OK;
    if (weft_comm_size(comm) == 1)
        return WEFT_OK;
    comm->kind->broadcast(comm, &first, sizeof first);
    if (number != first)
        status = weft_fail(err, WEFT_BAD_INPUT, "process %u %.3900s", comm->rank, sentence);
    return weft_comm_agree(comm, status, err);
}

uint32_t weft_comm_least(weft_comm *comm, uint32_t number)
{
    if (weft_comm_size(comm) == 1)
        return number;
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size);
    void *gathered;
    comm->kind->gather(comm, &number, sizeof number, &gathered, sizes);
    const uint32_t *all = gathered;
    for (uint32_t r = 0; all && r < comm->size; r++)
        number = all[r] < number ? all[r] : number;
    comm->kind->broadcast(comm, &number, sizeof number);
    free(gathered);
    free(sizes);
    return number;
}
