/* SPDX-License-Identifier: Apache-2.0 */
/* Interweft predicts how a fabric will behave.
 *
 * Read the headers in this order: study.h (open, run, close), context.h (the processes that share
 * the work), component.h (records of components), topology.h, routing.h, scheduler.h, traffic.h,
 * workload.h (the component families), catalog.h (list, describe, schema), result.h (tables),
 * model.h (answers by formula), interop.h (foreign fabrics, summaries and drawings of topologies),
 * reproduce.h (comparison with published figures), selftest.h (contracts of plug-ins). A plug-in
 * includes this file and exports weft_plugin_get. */
#ifndef INTERWEFT_H
#define INTERWEFT_H

#include "interweft/catalog.h"
#include "interweft/compare.h"
#include "interweft/component.h"
#include "interweft/context.h"
#include "interweft/crossbar.h"
#include "interweft/hosts.h"
#include "interweft/interop.h"
#include "interweft/model.h"
#include "interweft/random.h"
#include "interweft/reproduce.h"
#include "interweft/result.h"
#include "interweft/routing.h"
#include "interweft/scheduler.h"
#include "interweft/selftest.h"
#include "interweft/status.h"
#include "interweft/study.h"
#include "interweft/topology.h"
#include "interweft/traffic.h"
#include "interweft/ts.h"
#include "interweft/version.h"
#include "interweft/workload.h"

#endif
