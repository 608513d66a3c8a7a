/* SPDX-License-Identifier: Apache-2.0 */
/* The processor time that a container or batch system leaves to this process. */
#ifndef WEFT_BASE_CORES_H
#define WEFT_BASE_CORES_H

/* Cores that the CPU quota of the control groups of this process is worth, rounded up: cpu.max of
 * cgroup v2, cpu.cfs_quota_us of v1. 0: there is no quota. `groups` lists the groups
 * (/proc/self/cgroup), `root` is where they are mounted (/sys/fs/cgroup). */
unsigned weft_cores_quota(const char *groups, const char *root);

#endif
