/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a shared object, looked at before it is loaded: the loader would wait for a pipe, and
 * end the program in a file that is cut short. */
#ifndef WEFT_BASE_SHARED_OBJECT_H
#define WEFT_BASE_SHARED_OBJECT_H

/* What is wrong with it, to follow "not a plug-in: "; NULL: nothing that the loader would not
 * say. */
const char *weft_shared_object_flaw(const char *path);

#endif
