/* SPDX-License-Identifier: Apache-2.0 */
/* Interweft predicts how a fabric will behave.
 *
 * Read the headers in this order: study.h (open, run, close), context.h (the processes that share
 * the work), component.h (records of components), topology.h, routing.h, scheduler.h, traffic.h,
 * workload.h (the component families), catalog.h (list, describe, schema), result.h (tables),
 * model.h (answers by formula), planning.h (fabrics side by side), interop.h (foreign fabrics,
 * summaries and drawings of topologies), judge.h (forwarding tables of fabrics), program.h
 * (message-passing programs), reproduce.h (comparison with published figures), selftest.h
 * (contracts of plug-ins). A plug-in includes this file and exports weft_plugin_get.
 * docs/reference/library.md has every call.
 *
 * Failure. A call that can fail returns a weft_status and writes a sentence for a person into the
 * weft_error, which may be NULL. Outputs are valid only after WEFT_OK. A wrong call (NULL where a
 * pointer is wanted, an index out of range) is a mistake of the program: builds with assertions
 * stop there, others are undefined.
 *
 * Lifetimes. What *_create, *_open and *_new give, the caller ends with the call of the same
 * family (*_destroy, *_close); those accept NULL. Text in a char ** is the caller's, for free().
 * const char * that a call returns belongs to the object it was asked of and lives as long. What a
 * callback is given lives until it returns. Options and the texts they point to must live until
 * the call returns; of weft_study_options, until the study is closed. A catalogue must outlive the
 * studies that were opened with it, and a record given to weft_catalog_plug the catalogue.
 *
 * Threads. There is no global state: different objects may be used by different threads at once.
 * One object is used by one thread at a time. A run uses threads of its own (OpenMP) and calls
 * back from them, never two at once; a callback may ask the run to stop by its return value, and
 * must not call into the same study. A process has at most one context (context.h). fork() between
 * opening and closing is not supported, fork() and exec() is. A child of fork() alone may use the
 * library if the thread that forked has run nothing yet: threads of OpenMP that the parent's run
 * has left behind are not in the child, which would wait for them. A thread that calls needs 512
 * KiB of stack.
 *
 * Out of memory. A network that does not fit is refused before it is built, and a run that grows
 * beyond weft_study_options.memory ends with a verdict. Where the system refuses memory nonetheless
 * (small allocations, with overcommitment off), the library writes one line to standard error and
 * calls abort(); committed points are safe, a study resumes from them.
 *
 * Other effects. The library prints nothing, changes no signal handler, locale or environment
 * variable, and writes only the files named here: results, their journal and lock, checkpoints.
 * What it writes and reads has a decimal point in every locale.
 *
 * ABI. Until 1.0 the SOVERSION is 0 and holds from 0.2 on: within it no call disappears or changes
 * its meaning, no structure that a caller allocates changes its size, enumerations only grow at
 * their end. Structures that the library hands out by const pointer, and records that begin with
 * abi and size (component.h), may grow at their end. New calls get a symbol version of their own.
 * Results of the same scenario and seed may change with a version; CHANGELOG.md then says so.
 *
 * C++. All headers are C++17. */
#ifndef INTERWEFT_H
#define INTERWEFT_H

#include "interweft/catalog.h"
#include "interweft/compare.h"
#include "interweft/component.h"
#include "interweft/context.h"
#include "interweft/crossbar.h"
#include "interweft/evaluation.h"
#include "interweft/hosts.h"
#include "interweft/interop.h"
#include "interweft/judge.h"
#include "interweft/model.h"
#include "interweft/planning.h"
#include "interweft/program.h"
#include "interweft/random.h"
#include "interweft/reproduce.h"
#include "interweft/result.h"
#include "interweft/routing.h"
#include "interweft/scheduler.h"
#include "interweft/selftest.h"
#include "interweft/sensitivity.h"
#include "interweft/status.h"
#include "interweft/study.h"
#include "interweft/topology.h"
#include "interweft/traced.h"
#include "interweft/traffic.h"
#include "interweft/ts.h"
#include "interweft/version.h"
#include "interweft/why.h"
#include "interweft/workload.h"

#endif
