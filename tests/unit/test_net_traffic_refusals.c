/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic and jobs that a network cannot have: what is wrong with them, and what would be right. */
#include "test_refusals.h"

static const refusal classes[] = {
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0-99}}",
     "t.yaml:2:51: traffic.all.from: the endpoints of this network are 0 … 15, found '0-99'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 16}}",
     "t.yaml:2:51: traffic.all.from: the endpoints of this network are 0 … 15, found '16'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 5-3}}",
     "t.yaml:2:51: traffic.all.from: a range ends with its greatest number, found '5-3'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0-3/0}}",
     "t.yaml:2:51: traffic.all.from: a step is 1 or more, found '0-3/0'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0-}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found '0-'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0-3/}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found '0-3/'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0-3x}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found '0-3x'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: group 0}}",
     "t.yaml:2:51: traffic.all.from: this topology has no groups; name routers or endpoints, found "
     "'group 0'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: group}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'group'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: group x}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'group x'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: group 2-9}}\ntopology: {kind: dragonfly, "
     "groups: 3, routers: 2}",
     "t.yaml:2:51: traffic.all.from: the groups of this network are 0 … 2, found 'group 2-9'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 'router (9, *)'}}",
     "t.yaml:2:52: traffic.all.from: no router with endpoints has such a name; the last one is "
     "'(3, 3)', found '(9, *)'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: router}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'router'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: routers 3}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'routers 3'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: node3}}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'node3'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file missing.txt}}",
     "t.yaml:2:16: missing.txt cannot be read: No such file or directory"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file }}",
     "t.yaml:2:51: traffic.all.from: endpoints are named by all, 0-15, 0-60/4, router NAME, group "
     "2 or file NAME, found 'file'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file refused.txt}}\n===\n",
     "t.yaml:2:51: traffic.all.from: nobody is named there, found 'file refused.txt'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file refused.txt}}\n===\n# nothing\n\n",
     "t.yaml:2:51: traffic.all.from: nobody is named there, found 'file refused.txt'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file refused.txt}}\n===\n0-3 # four\nx\n",
     "t.yaml:2:16: refused.txt:2: endpoints are named by all, 0-15, 0-60/4, router NAME, group 2 "
     "or file NAME, found 'x'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file refused.txt}}\n===\nfile other.txt\n",
     "t.yaml:2:16: refused.txt:1: endpoints are named by all, 0-15, 0-60/4, router NAME, group 2 "
     "or file NAME, found 'file other.txt'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: file refused.txt}}\n===\n0\t\r\n 5 "
     "#x\n99\n",
     "t.yaml:2:16: refused.txt:3: the endpoints of this network are 0 … 15, found '99'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, from: 0, to: 0}}",
     "t.yaml:2:16: no endpoint sends anything under pattern uniform"},
    {"traffic: {all: {length: 8 flits, load: 0.1, to: 17}}",
     "t.yaml:2:49: traffic.all.to: the endpoints of this network are 0 … 15, found '17'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, to: from, from: 3}}",
     "t.yaml:2:16: no endpoint sends anything under pattern uniform"},
    {"traffic: {all: {length: 8 flits, load: 0.1}}\ntopology: {kind: full, routers: 1}",
     "t.yaml:2:16: pattern uniform needs at least two endpoints"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: hot-spot, node: 16}}}",
     "t.yaml:2:16: pattern hot-spot: node must be one of the endpoints 0 … 15, found 16"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: hot-spot}}}\ntopology: {kind: "
     "full, routers: 1}",
     "t.yaml:2:16: pattern hot-spot needs at least two endpoints"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: hop-uniform, hops: 9}}}",
     "t.yaml:2:16: pattern hop-uniform: no router is 9 hops away in this network"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: transpose}}\ntopology: {kind: torus, "
     "dims: [3, 3]}",
     "t.yaml:2:16: pattern transpose needs a power of four endpoints, this network has 9"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: bit-reversal}}\ntopology: {kind: torus, "
     "dims: [3, 3]}",
     "t.yaml:2:16: pattern bit-reversal needs a power of two endpoints, this network has 9"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: shuffle}}\ntopology: {kind: torus, "
     "dims: [3, 3]}",
     "t.yaml:2:16: pattern shuffle needs a power of two endpoints, this network has 9"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: tornado}}\ntopology: {kind: full, "
     "routers: 4}",
     "t.yaml:2:16: pattern tornado needs a topology with coordinates; full has none"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: group-adversarial}}",
     "t.yaml:2:16: pattern group-adversarial needs a topology with groups; torus has none"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{hops: [1, 2, "
     "3], share: 1}]}}}",
     "t.yaml:2:16: pattern locality: hops must be a least and a greatest distance such as [1, 3], "
     "found 3 numbers from 1 to 3"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{hops: [3, "
     "1], share: 1}]}}}",
     "t.yaml:2:16: pattern locality: hops must be a least and a greatest distance such as [1, 3], "
     "found 2 numbers from 3 to 1"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{hops: [1], "
     "share: 0.9}]}}}",
     "t.yaml:2:16: pattern locality: the shares must sum to 1, found 0.9"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{hops: [1], "
     "share: 0.9}, {beyond: 1, share: 0.2}]}}}",
     "t.yaml:2:16: pattern locality: the shares must sum to 1, found 1.1"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{within: "
     "group, share: 1}]}}}",
     "t.yaml:2:16: pattern locality: torus has no groups; give within: router, or hops"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{within: "
     "router, share: 1}]}}}",
     "t.yaml:2:16: pattern locality: the router of router 0 has no other endpoint"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{beyond: 9, "
     "share: 1}]}}}",
     "t.yaml:2:16: pattern locality: no other endpoint is beyond 9 hops of routers from router 0"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: tasks, graph: "
     "stencil}}}\ntopology: {kind: torus, dims: [3, 5]}",
     "t.yaml:2:16: pattern tasks with graph stencil needs a square number of endpoints, 9 or more, "
     "found 15"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: tasks, reach: 8}}}",
     "t.yaml:2:16: pattern tasks with 16 endpoints has a reach of at most 7, found 8"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: tasks, graph: random, reach: "
     "16}}}",
     "t.yaml:2:16: pattern tasks with 16 endpoints has a reach of at most 15, found 16"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: tasks, placement: "
     "hamiltonian}}}\ntopology: {kind: torus, dims: [3, 5]}",
     "t.yaml:2:16: placement hamiltonian needs a torus of k × k routers, k at least 3, with one "
     "endpoint each, as topology: {kind: torus, dims: [16, 16]}"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: tasks}}}\ntopology: {kind: full, "
     "routers: 1}",
     "t.yaml:2:16: pattern tasks with 1 endpoints has a reach of at most 0, found 1"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,1\n1\n",
     "t.yaml:2:16: refused.txt:2: this network has 2 endpoints, found 1 weights"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,1,0\n",
     "t.yaml:2:16: refused.txt:1: this network has 2 endpoints, found more weights in one line"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,1\n",
     "t.yaml:2:16: refused.txt:2: this network has 2 endpoints, found 1 lines"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,1\n1,0\n0,0\n",
     "t.yaml:2:16: refused.txt:3: this network has 2 endpoints, and a matrix for it as many lines"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,x\n",
     "t.yaml:2:16: refused.txt:1: a weight is a number 0 … 1e+15, found 'x'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,-1\n",
     "t.yaml:2:16: refused.txt:1: a weight is a number 0 … 1e+15, found '-1'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,2e15\n",
     "t.yaml:2:16: refused.txt:1: a weight is a number 0 … 1e+15, found '2e15'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,\n",
     "t.yaml:2:16: refused.txt:1: a weight is a number 0 … 1e+15, found ''"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n1,1\n1,0\n",
     "t.yaml:2:16: refused.txt:1: endpoint 0 cannot send to itself"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,0\n0,0\n",
     "t.yaml:2:16: refused.txt: no weight is more than 0, so nobody sends"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\nfrom,to,weight\n0,1,1\n0,1,2\n",
     "t.yaml:2:16: refused.txt:3: 0 to 1 is already in line 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\nfrom,to,weight\n0\n",
     "t.yaml:2:16: refused.txt:2: a line is from,to,weight (or from,to), found one field"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\nfrom,to,weight\n0,2,1\n",
     "t.yaml:2:16: refused.txt:2: the endpoints of this network are 0 … 1, found '2'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\nfrom,to,weight\nx,1,1\n",
     "t.yaml:2:16: refused.txt:2: the endpoints of this network are 0 … 1, found 'x'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\nfrom,to,weight\n0,1,1,1\n",
     "t.yaml:2:16: refused.txt:2: a line is from,to,weight (or from,to), found more fields"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, of: groups, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n0,1\n1,0\n",
     "t.yaml:2:16: pattern matrix: of must be endpoints or routers, for full is not made of equal "
     "groups"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: matrix, of: routers, file: "
     "refused.txt}}}\ntopology: {kind: full, routers: 2}\n===\n1,1\n1,0\n",
     "t.yaml:2:16: refused.txt:1: router 0 cannot send to itself"},
    {"traffic: {all: {length: 8 flits, rho: 0.1}}\ntopology: {kind: full, routers: 1, hosts: 2}",
     "t.yaml:2:16: rho is the load of router-to-router links, and this traffic uses none; give "
     "load instead"},
    {"traffic: {all: {length: {kind: fixed, size: 1e9 flits}, load: 0.000001}}",
     "t.yaml:2:45: traffic.all.length.size must be 1 flit … 1048576 flits, found 1e9 flits"},
    {"traffic: {all: {length: 1e12 flits, load: 0.1}}",
     "t.yaml:2:25: traffic.all.length.size must be 1 flit … 1048576 flits, found 1e12 flits"},
    {"traffic: {all: {length: 4294967295 flits, load: 0.1}}",
     "t.yaml:2:25: traffic.all.length.size must be 1 flit … 1048576 flits, found 4294967295 flits"},
    {"traffic: {all: {length: 1 TB, load: 0.1}}",
     "t.yaml:2:25: traffic.all.length.size must be a size such as 64 B or 64 flits, found '1 TB', "
     "whose unit 'TB' is not one of flits, B, KiB, MiB, GiB, kB, MB, GB"},
    {"traffic: {all: {length: 100 GB, load: 0.1}}\nlinks: {flit: 2 B}",
     "t.yaml:2:25: traffic.all.length.size must be 1 B … 1 MiB, found 100 GB"},
    {"traffic: {all: {length: 8 flits, load: 0.1, start: 9e18 cycles}}",
     "t.yaml:2:16: a class can start 2^45 ticks, here 3.51844e+13 cycles, after 0 at most, and "
     "stop after 2^47"},
    {"traffic: {all: {length: 8 flits, load: 0.1, stop: 9e18 cycles}}",
     "t.yaml:2:16: a class can start 2^45 ticks, here 3.51844e+13 cycles, after 0 at most, and "
     "stop after 2^47"},
    {"traffic: {all: {length: 8 flits, load: 0.1, service: dbts}}",
     "t.yaml:2:16: service dbts is time sensitive: give the class a deadline, such as deadline: "
     "500 cycles"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: cca}}",
     "default of traffic.all.response.ccti-timer: router.header (by default 1 cycle) is in cycles "
     "and traffic.all.response.ccti-timer (by default 153.6 us) in seconds; give the section "
     "'clock', such as clock: 1 GHz"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: {kind: cca, ccti-timer: 9 cycles, "
     "ccti-min: 127}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: response.ccti-min must be below ccti-limit (127), found 127"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: {kind: cca, ccti-timer: 9 cycles, "
     "ccti-limit: 3, entries: [0, 1]}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: response.entries must have an entry for every index up to ccti-limit, 4, found "
     "2: give more, or lower ccti-limit"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: {kind: cca, ccti-timer: 9 cycles, "
     "ccti-limit: 1, entries: [5, 1]}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: response.entries: entry 1 delays less than the one before it: a notification "
     "would raise the rate"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: {kind: cca, ccti-timer: 9 "
     "ns}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:79: router.crossbar (by default 1 cycle) is in cycles and "
     "traffic.all.response.ccti-timer in seconds; give the section 'clock', such as clock: 1 GHz"},
    {"traffic: {all: {length: 8 flits, load: 0.1, min-rate: 1, response: {kind: cca, ccti-timer: 9 "
     "cycles}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: min-rate must be below 1, the maximum rate, found 1"},
    {"traffic: {all: {length: 8 flits, load: 0.1, min-rate: 1e-9, response: {kind: cca, "
     "ccti-timer: 9 cycles}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: min-rate: 1.25e-10 packets/cycle leave 8e+09 ticks between two packets, less "
     "than 2^29 can be simulated: give a higher rate"},
    {"traffic: {all: {length: 8 flits, load: 0.1, max-rate: 1e-9, response: {kind: cca, "
     "ccti-timer: 9 cycles}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: min-rate: 3.90625e-12 packets/cycle leave 2.56e+11 ticks between two packets, "
     "less than 2^29 can be simulated: give a higher rate"},
    {"traffic: {all: {length: 8 flits, load: 0.1, response: {kind: dcqcn, notification-interval: 9 "
     "cycles, alpha-timer: 9 cycles, timer: 9 cycles}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:92: traffic.all.response.notification-interval is in cycles and "
     "traffic.all.response.hyper (by default 400 Mb/s) in seconds; give the section 'clock', such "
     "as clock: 1 GHz"},
    {"traffic: {all: {length: 8 B, load: 0.1}}\nendpoint: {headers: infiniband}\njobs: {a: "
     "{collective: allreduce/ring}}",
     "t.yaml:3:21: endpoint.headers: packets of jobs have none: leave them out"},
    {"traffic: {all: {length: {kind: redraw, of: 8 B}, load: 0.1}}\nendpoint: {headers: "
     "infiniband}",
     "t.yaml:3:21: endpoint.headers: packets of lengths that are drawn anew at every hop have "
     "none: leave them out"},
    {"measure: {rates: 0-3}",
     "t.yaml:2:18: measure.rates needs measure.series, the width of a bin, such as series: 10 us"},
    {"measure: {rates: 99, series: 10 cycles}",
     "t.yaml:2:18: measure.rates: the endpoints of this network are 0 … 15, found '99'"},
    {"measure: {rates: 3, series: 10 cycles}\ntraffic: {all: {length: 8 flits, load: 0.1, from: "
     "5}}",
     "t.yaml:2:18: measure.rates: 1 to 256 flows can be followed (an endpoint and a class it sends "
     "in), found 0: name other endpoints"},
    {"jobs: {a: {collective: allreduce/ring, on: 0-3, placement: listed}, b: {collective: "
     "allreduce/ring, on: 3-5, placement: listed}}",
     "t.yaml:2:105: jobs.b.on names endpoint 3, which has a rank of job a; an endpoint has ranks "
     "of one job: name another one"},
    {"jobs: {a: {collective: allreduce/ring}, b: {collective: allreduce/ring}}",
     "t.yaml:2:44: jobs.b: no endpoint is free for it"},
    {"jobs: {a: {collective: allreduce/ring, on: 99}}",
     "t.yaml:2:44: jobs.a.on: the endpoints of this network are 0 … 15, found '99'"},
    {"jobs: {a: {collective: allreduce/ring, on: 0-3, ranks: 5}}",
     "t.yaml:2:11: jobs.a has 5 ranks, and 4 endpoints are free for it"},
    {"jobs: {a: {collective: allreduce/ring, placement: by-group}}",
     "t.yaml:2:11: placement by-group needs a topology with groups, as dragonflies and fat trees "
     "have; use contiguous or round-robin"},
    {"jobs: {a: {collective: allreduce/recursive-doubling, steps: 3}}",
     "t.yaml:2:61: jobs.a.steps: the steps of allreduce/recursive-doubling are not all alike; it "
     "is for rings and pairwise exchanges"},
    {"topology: {kind: torus, dims: [8, 8]}\njobs: {a: {collective: all-to-all/linear, repeat: "
     "1000000}}",
     "t.yaml:3:11: jobs.a has too many steps × repetitions: at most 33554432 of a rank can be "
     "simulated"},
    {"host: {eager: 16 B}\njobs: {a: {file: refused.txt}}\n===\nnum_ranks 2\nrank 0 {\nl1: recv "
     "16b from -1\nl2: recv 17b from 1 tag 2\n}\nrank 1 {\nl1: send 16b to 0\nl2: send 17b to 0 "
     "tag "
     "2\n}\n",
     "t.yaml:3:11: rank 0 receives from any source or with any tag, and rank 1 sends it more than "
     "host.eager: that cannot be simulated"},
    {"measure: {ideal-limit: 1}\njobs: {a: {file: refused.txt}}\n===\nnum_ranks 2\nrank 0 {\nl1: "
     "send 8b to 1 tag 0 nic 1\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n",
     "t.yaml:3:11: rank 0 uses nic 1: an endpoint has one, nic 0"},
    {"jobs: {a: {file: missing.goal}}",
     "t.yaml:2:11: missing.goal cannot be read: No such file or directory"},
    {"jobs: {a: {file: refused.txt}}\n===\nx",
     "t.yaml:2:11: refused.txt is in no format that is known:"},
    {"jobs: {a: {file: refused.txt}}\n===\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0 nic "
     "1\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n",
     "t.yaml:2:11: rank 0 uses nic 1: an endpoint has one, nic 0"},
    {"jobs: {a: {file: refused.txt}}\n===\nnum_ranks 99\nrank 0 {\nl1: calc 5\n}\n",
     "t.yaml:2:11: refused.txt:1: 99 ranks cannot be in a file of 35 bytes"},
    {"traffic: {all: {length: 8 flits, load: 0.1, window: 3, response: {kind: dcqcn, "
     "notification-interval: 9 cycles, alpha-timer: 9 cycles, timer: 9 cycles, additive: 0.01 "
     "flits/cycle, hyper: 0.1 flits/cycle}}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: window counts packets without an ACK, and response dcqcn has none: leave it "
     "out, or use aimd, fimd or pipd"},
    {"traffic: {all: {length: {kind: bimodal, short: 1 flit, long: 1e6 flits, share: 0.01%}, load: "
     "0.1, min-rate: 1e-6, response: {kind: dcqcn, notification-interval: 9 cycles, alpha-timer: 9 "
     "cycles, timer: 9 cycles, additive: 0.01 flits/cycle, hyper: 0.1 flits/cycle}}}\nrouter: "
     "{kind: input-queued, vcs: 4}\nendpoint: {mtu: 60000 flits}",
     "t.yaml:2:16: min-rate: 9.901e-09 packets/cycle leave 6.6e+10 ticks after the longest packet, "
     "less than 2^29 can be simulated: give a higher rate"},
    {"traffic: {all: {length: 8 flits, load: 0.1, min-rate: 1e-9, response: {kind: cca, "
     "ccti-timer: 9 us}}}\nrouter: {kind: input-queued, vcs: 4}\nclock: 1 GHz",
     "t.yaml:2:16: min-rate: 0.125 packets/s leave 8e+09 ticks between two packets, less than 2^29 "
     "can be simulated: give a higher rate"},
    {"jobs: {a: {collective: all-to-all/pairwise, size: 200000 GB}}",
     "t.yaml:2:11: jobs.a has messages of 12500000000000 bytes; at most 1073741824 flits "
     "(links.flit) can be simulated"},
    {"jobs: {a: {collective: allreduce/ring, size: 200000 GB}}",
     "t.yaml:2:11: jobs.a has messages of 12500000000000 bytes; at most 1073741824 flits "
     "(links.flit) can be simulated"},
    {"jobs: {a: {phases: {x: {collective: allreduce/rng}}}}",
     "t.yaml:2:11: 'allreduce/rng' is no collective operation: `weft workload list` has them; did "
     "you mean 'allreduce/ring'?"},
    {"jobs: {a: {file: refused.txt}}\n===\nnum_ranks 2\nrank 0 {\nl1: send 100000000000000b to 1 "
     "tag 0\n}\nrank 1 {\nl1: recv 100000000000000b from 0 tag 0\n}\n",
     "t.yaml:2:11: rank 0 has a message of 100000000000000 bytes; at most 1073741824 flits "
     "(links.flit) can be simulated"},
    {"jobs: {a: {file: refused.txt, on: 0}}\n===\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1 tag "
     "0\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n",
     "t.yaml:2:11: jobs.a has 2 ranks, and 1 endpoints are free for it"},
    {"jobs: {a: {file: refused.txt, background: true}, b: {collective: allreduce/ring, ranks: "
     "4}}\n===\nnum_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from any "
     "tag 0\n}\n",
     "t.yaml:2:11: refused.txt:6: wanted the rank that sends, or -1 for any, found 'any'"},
    {"traffic: {all: {length: {kind: empirical, of: storage, scale: 1000000}, load: 0.1}}",
     "t.yaml:2:25: traffic.all.length: the longest messages have 4294967295 flits, at most 1048576 "
     "are possible: use longer flits, such as links.flit: 4096 B, or a smaller scale"},
    {"traffic: {all: {length: {kind: exponential, mean: 1e6 flits}, load: 0.1}}",
     "t.yaml:2:51: traffic.all.length.mean must be 1 flit … 45000 flits, found 1e6 flits"},
    {"traffic: {all: {length: 1e6 flits, load: 0.000001}}\nlinks: {host: {rate: 0.001 "
     "flits/cycle}}",
     "t.yaml:2:16: a message every 1e+15 cycles and endpoint: a mean gap can have 2^43 ticks, here "
     "8.79609e+12 cycles, at most"},
    {"clock: 1 GHz\ntraffic: {all: {length: 8 flits, rate: 0.00001}}",
     "t.yaml:3:16: a message every 1e+14 cycles and endpoint: a mean gap can have 2^43 ticks, here "
     "8.79609e+12 cycles, at most"},
    {"clock: 1 GHz\ntraffic: {all: {length: 8 flits, rate: 1e20}}",
     "t.yaml:3:40: traffic.all.rate must be at most 1000000000000000, found 1e20"},
    {"traffic: {a1: {length: 1 flit, load: 0.01}, a2: {length: 1 flit, load: 0.01}, a3: {length: 1 "
     "flit, load: 0.01}, a4: {length: 1 flit, load: 0.01}, a5: {length: 1 flit, load: 0.01}, a6: "
     "{length: 1 flit, load: 0.01}, a7: {length: 1 flit, load: 0.01}, a8: {length: 1 flit, load: "
     "0.01}, a9: {length: 1 flit, load: 0.01}, a10: {length: 1 flit, load: 0.01}, a11: {length: 1 "
     "flit, load: 0.01}, a12: {length: 1 flit, load: 0.01}, a13: {length: 1 flit, load: 0.01}, "
     "a14: {length: 1 flit, load: 0.01}, a15: {length: 1 flit, load: 0.01}, a16: {length: 1 flit, "
     "load: 0.01}, a17: {length: 1 flit, load: 0.01}}",
     "t.yaml:2:10: at most 16 traffic classes, found 17"},
    {"traffic: {all: {length: 8 flits, load: 0.1, pattern: {kind: locality, shares: [{nearby: 1, "
     "share: 1}]}}}",
     "t.yaml:2:80: traffic.all.pattern.shares.0 must have one of the settings within, hops, "
     "beyond"},
};

static void traffic_is_refused_with_its_sentence(void **state)
{
    (void)state;
    REFUSED(classes, refusals_with_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_is_refused_with_its_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
