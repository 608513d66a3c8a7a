/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the administration of a subnet for the SL of every path between hosts: reads lines
 * `guid lid`, one for each host, and prints ibdmchk's lines `guid lid sl`. With a number N only
 * every Nth host is asked for its paths, and those behind it are said to use the same SLs. */
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>

#define HOSTS_MAX 4096

/* Fields of a path record that a question fills: both LIDs and the number of paths. */
#define ASKED ((uint64_t)1 << 4 | (uint64_t)1 << 5 | (uint64_t)1 << 12)

static int ask(const struct ibmad_port *port, ib_portid_t *manager, unsigned from, unsigned to)
{
    uint8_t record[IB_SA_DATA_SIZE] = {0};
    ib_sa_call_t call = {.attrid = IB_SA_ATTR_PATHRECORD,
                         .method = IB_MAD_METHOD_GET,
                         .mask = ASKED,
                         .trid = mad_trid()};
    mad_set_field(record, 0, IB_SA_PR_SLID_F, from);
    mad_set_field(record, 0, IB_SA_PR_DLID_F, to);
    mad_set_field(record, 0, IB_SA_PR_NPATH_F, 1);
    return sa_rpc_call(port, record, manager, &call, 0)
               ? (int)mad_get_field(record, 0, IB_SA_PR_SL_F)
               : -1;
}

int main(int argc, char **argv)
{
    static unsigned long long guid[HOSTS_MAX];
    static unsigned lid[HOSTS_MAX];
    static int sl[HOSTS_MAX];
    int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS}, hosts = 0;
    int nth = argc > 1 ? atoi(argv[1]) : 1;
    struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 3);
    ib_portid_t manager = {0};
    if (!port || nth < 1 || ib_resolve_smlid_via(&manager, 2000, port) < 0)
        return 1;
    manager.qp = 1;
    while (hosts < HOSTS_MAX && scanf("%llx %u", &guid[hosts], &lid[hosts]) == 2)
        hosts++;
    for (int from = 0; from < hosts; from++)
        for (int to = 0; to < hosts; to++) {
            if (from % nth == 0)
                sl[to] = from == to ? 0 : ask(port, &manager, lid[from], lid[to]);
            if (sl[to] < 0)
                return 1;
            if (from != to)
                printf("0x%016llx %u %d\n", guid[from], lid[to], sl[to]);
        }
    mad_rpc_close_port(port);
    return 0;
}
