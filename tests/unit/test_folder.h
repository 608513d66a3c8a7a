/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of its own for the files that a group of tests writes: two fixtures of cmocka, which
 * enter it and remove it with all that is in it. */
#ifndef WEFT_TEST_FOLDER_H
#define WEFT_TEST_FOLDER_H

#include "base/text.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/weft-test-XXXXXX";

static int folder_enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int folder_leave(void **state)
{
    char *command = weft_text_format("rm -r %s", folder);
    (void)state;
    int status = system(command);
    free(command);
    return status;
}

#endif
