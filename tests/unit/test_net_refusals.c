/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that cannot be built: what is wrong with them, and what would be right. */
#include "test_refusals.h"

static const refusal topologies[] = {
    {"topology: {kind: fat-tree}",
     "t.yaml:2:11: form k-ary needs topology.arity and topology.levels"},
    {"topology: {kind: fat-tree, arity: 4}",
     "t.yaml:2:11: form k-ary needs topology.arity and topology.levels"},
    {"topology: {kind: fat-tree, arity: 4, levels: 2, down: [2, 2], up: [1, 2]}",
     "t.yaml:2:55: topology.down and topology.up do not go with form k-ary: give form: xgft"},
    {"topology: {kind: fat-tree, form: xgft, arity: 4, down: [2, 2], up: [1, 2]}",
     "t.yaml:2:47: topology.arity and topology.levels do not go with form xgft: give topology.down "
     "and topology.up"},
    {"topology: {kind: fat-tree, form: xgft, levels: 4, down: [2, 2], up: [1, 2]}",
     "t.yaml:2:11: topology.arity and topology.levels do not go with form xgft: give topology.down "
     "and topology.up"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 2]}",
     "t.yaml:2:46: topology.down and topology.up must list the same number of levels, 2 to 24, "
     "found 2 and 0"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 2], up: [1, 2, 2]}",
     "t.yaml:2:46: topology.down and topology.up must list the same number of levels, 2 to 24, "
     "found 2 and 3"},
    {"topology: {kind: fat-tree, form: xgft, down: [2], up: [1]}",
     "t.yaml:2:46: topology.down and topology.up must list the same number of levels, 2 to 24, "
     "found 1 and 1"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 1], up: [1, 2]}",
     "t.yaml:2:11: a switch of level 2 must have 2 children or more, found 1"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 1024, 1024], up: [1, 1024, 1024]}",
     "t.yaml:2:11: a switch of level 1 has more than 1024 ports"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 1024], up: [1, 1024]}",
     "t.yaml:2:11: a switch of level 1 has more than 1024 ports"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 600, 500], up: [1, 500, 600], global: true}",
     "t.yaml:2:11: a switch of level 2 has more than 1024 ports"},
    {"topology: {kind: fat-tree, arity: 1024, levels: 4}",
     "t.yaml:2:11: a switch of level 1 has more than 1024 ports"},
    {"topology: {kind: fat-tree, form: m-port, arity: 5, levels: 2}",
     "t.yaml:2:49: topology.arity must be even for form m-port (half of a switch's ports lead up), "
     "found 5"},
    {"topology: {kind: dragonfly, groups: 5, routers: 2, arrangement: given}",
     "t.yaml:2:11: topology.attach and topology.arrangement: given belong together, found "
     "arrangement given and 0 numbers in attach"},
    {"topology: {kind: dragonfly, groups: 5, routers: 2, attach: [0, 1]}",
     "t.yaml:2:60: topology.attach and topology.arrangement: given belong together, found "
     "arrangement relative and 2 numbers in attach"},
    {"topology: {kind: dragonfly, groups: 5, routers: 2, arrangement: given, attach: [0, 2, 1, 1]}",
     "t.yaml:2:80: topology.attach must list inner routers 0 … 1, found 2"},
    {"topology: {kind: dragonfly, groups: 5, routers: 2, arrangement: given, attach: [0, 1]}",
     "t.yaml:2:80: topology.attach must list the inner router of every outer port, 4 numbers, "
     "found 2"},
    {"topology: {kind: dragonfly, groups: 9, routers: 2, global: 3}",
     "t.yaml:2:60: topology.global must be at least 4, so that the ports of 2 routers reach 8 "
     "other groups, found 3"},
    {"topology: {kind: dragonfly, groups: 3, routers: 2, global: 64}",
     "t.yaml:2:60: topology.global 64 gives every two groups 64 links, of which 32 can be used: "
     "use less, fewer topology.routers, or more topology.groups"},
    {"topology: {kind: dragonfly, groups: 1025, routers: 1025}",
     "t.yaml:2:11: topology.inner has 1024 ports and 1 outer ones hang on one of its routers, a "
     "router has at most 1024 ports: use smaller networks"},
    {"topology: {kind: megafly, groups: 9, leaves: 2, spines: 2, global: 3}",
     "t.yaml:2:68: topology.global must be at least 4, so that the ports of 2 spines have 1 links "
     "to each of 8 other groups, found 3"},
    {"topology: {kind: megafly, groups: 3, leaves: 2, links: 3, global: 1}",
     "t.yaml:2:67: topology.global must be at least 3, so that the ports of 2 spines have 3 links "
     "to each of 2 other groups, found 1"},
    {"topology: {kind: flattened-butterfly, dims: [600, 600]}",
     "t.yaml:2:45: topology.dims joins every router to 1198 others (size − 1 in each dimension), a "
     "router has at most 1024 ports: use smaller sizes"},
    {"topology: {kind: flattened-butterfly, dims: [32, 32], trunk: [32, 32]}",
     "t.yaml:2:45: topology.dims and topology.trunk give every router 1984 ports ((size − 1) × "
     "trunk in each dimension), it has at most 1024: use fewer"},
    {"topology: {kind: flattened-butterfly, dims: [4, 4], trunk: [2]}",
     "t.yaml:2:60: topology.trunk must have a number for each of 2 dimensions, found 1"},
    {"topology: {kind: flattened-butterfly, dims: [4, 4], global: [2]}",
     "t.yaml:2:61: topology.global must list dimensions 0 … 1, found 2"},
    {"topology: {kind: hypercube, dimensions: 3, global: [3]}",
     "t.yaml:2:52: topology.global must list dimensions 0 … 2, found 3"},
    {"topology: {kind: torus, dims: [65535, 65535]}",
     "t.yaml:2:31: topology.dims makes more than 268435456 routers (2^28), the most there can be"},
    {"topology: {kind: torus, dims: [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]}",
     "t.yaml:2:31: topology.dims must list 1 to 24 sizes, found 25"},
    {"topology: {kind: torus, dims: [4096, 4096], hosts: 1024}",
     "t.yaml:2:11: more than 2^32 endpoints"},
    {"topology: {kind: mesh, dims: [4, 4], global: [0, 7]}",
     "t.yaml:2:46: topology.global must list dimensions 0 … 1, found 7"},
    {"topology: {kind: random-regular, routers: 5, degree: 5}",
     "t.yaml:2:54: topology.degree must be less than topology.routers (5), found 5"},
    {"topology: {kind: random-regular, routers: 4, degree: 4}",
     "t.yaml:2:54: topology.degree must be less than topology.routers (4), found 4"},
    {"topology: {kind: random-regular, routers: 5, degree: 3}",
     "t.yaml:2:43: topology.routers × topology.degree must be even (a cable has two ends), found 5 "
     "× 3"},
    {"topology: {kind: slim-fly, q: 6}", "t.yaml:2:31: topology.q must be a prime or a power of "
                                         "one (3, 4, 5, 7, 8, 9, 11, 13, 16 …), found 6"},
    {"topology: {kind: slim-fly, q: 679}", "t.yaml:2:31: topology.q must be a prime or a power of "
                                           "one (3, 4, 5, 7, 8, 9, 11, 13, 16 …), found 679"},
    {"topology: {kind: butterfly, arity: 1024, stages: 4}",
     "t.yaml:2:36: topology.arity and topology.stages make more than 268435456 routers (2^28), the "
     "most there can be"},
    {"topology: {kind: butterfly, arity: 2, stages: 28}",
     "t.yaml:2:36: topology.arity and topology.stages make more than 268435456 routers (2^28), the "
     "most there can be"},
    {"topology: {kind: full, routers: 1025, links: 2}",
     "t.yaml:2:33: topology.routers and topology.links give every router 2048 ports ((routers − 1) "
     "× links), it has at most 1024: use fewer"},
    {"topology: {kind: full, routers: 1}",
     "t.yaml:3:16: pattern uniform needs at least two endpoints"},
    {"topology: {kind: full, routers: 40, links: 32}",
     "t.yaml:2:33: topology.routers and topology.links give every router 1248 ports ((routers − 1) "
     "× links), it has at most 1024: use fewer"},
    {"topology: {kind: hierarchy, outer: {kind: full, routers: 3}, inner: {kind: torus, dims: [2, "
     "2]}, attach: [0, 4]}",
     "t.yaml:2:106: topology.attach must list inner routers 0 … 3, found 4"},
    {"topology: {kind: hierarchy, outer: {kind: full, routers: 3}, inner: {kind: torus, dims: [2, "
     "2]}, attach: [0]}",
     "t.yaml:2:106: topology.attach must list the inner router of every outer port, 2 numbers, "
     "found 1"},
    {"topology: {kind: hierarchy, outer: {kind: full, routers: 3}, inner: {kind: torus, dims: [2, "
     "2]}, inner-vcs: 9}",
     "t.yaml:2:109: topology.inner-vcs must be 1 (none), 2 (before the last outer hop and after "
     "it) or, to tell packets before it apart, 2 (by the VC class of the next outer hop), 2 (by "
     "its dimension) or 2 (by both), found 9"},
    {"topology: {kind: hierarchy, outer: {kind: butterfly, arity: 2, stages: 2}, inner: {kind: "
     "torus, dims: [2, 2]}}",
     "t.yaml:2:36: topology.outer must have hosts: 1, found 2 (endpoints sit at the routers of "
     "topology.inner: set its hosts)"},
    {"topology: {kind: hierarchy, outer: {kind: full, routers: 3}, inner: {kind: butterfly, arity: "
     "2, stages: 2}}",
     "t.yaml:2:69: topology.inner must be a network all of whose routers have endpoints, or "
     "leaf-spine, found a butterfly of 4 routers of which 2 have some"},
    {"topology: {kind: hierarchy, outer: {kind: fat-tree, arity: 2, levels: 2}, inner: {kind: "
     "leaf-spine, leaves: 2, spines: 2}}",
     "t.yaml:2:36: topology.outer must have hosts: 1, found 2 (endpoints sit at the routers of "
     "topology.inner: set its hosts)"},
    {"topology: {kind: hierarchy, outer: {kind: torus, dims: [65535, 1000]}, inner: {kind: torus, "
     "dims: [1000, 1000]}}",
     "t.yaml:2:11: the longest minimal path has 33267 hops, a packet can count 2047"},
    {"topology: {kind: hierarchy, outer: {kind: torus, dims: [60000]}, inner: {kind: torus, dims: "
     "[60000]}}",
     "t.yaml:2:11: the longest minimal path has 30000 hops, a packet can count 2047"},
    {"topology: {kind: hierarchy, outer: {kind: file, path: refused.txt}, inner: {kind: full, "
     "routers: 2}}\n===\nx",
     "t.yaml:2:11: refused.txt is no sound .weftnet fabric: it does not begin like one; `weft "
     "import` makes one"},
    {"topology: {kind: file, path: refused.txt}\n===\nx",
     "t.yaml:2:11: refused.txt is no sound .weftnet fabric: it does not begin like one; `weft "
     "import` makes one"},
    {"topology: {kind: file, path: refused.txt}\n===\n",
     "t.yaml:2:11: refused.txt is no sound .weftnet fabric: it does not begin like one; `weft "
     "import` makes one"},
    {"topology: {kind: hierarchy, outer: {kind: torus, dims: [200]}, inner: {kind: torus, dims: "
     "[60]}}",
     "t.yaml:2:11: the longest route may have 3130 hops, a packet can count 2047"},
    {"topology: {kind: flattened-butterfly, dims: [2, 2, 2], trunk: [15, 16, 17]}",
     "t.yaml:2:11: the least common multiple of topology.trunk must be at most 256, found more: "
     "use numbers with common factors"},
    {"topology: {kind: hypercube, dimensions: 24, hosts: 17}",
     "t.yaml:2:11: 285212672 endpoints, at most 268435456 (2^28) can be simulated: use fewer"},
    {"topology: {kind: file, path: missing.weftnet}",
     "t.yaml:2:11: missing.weftnet cannot be read: No such file or directory"},
    {"topology: {kind: file, path: .}",
     "t.yaml:2:11: . is not a regular file; a .weftnet fabric is one"},
    {"links: {where: {'(0, 0) - (0, 2)': {latency: 1 cycle}}}",
     "t.yaml:2:16: links.where.(0, 0) - (0, 2): no link joins (0, 0) and (0, 2)"},
    {"links: {where: {'(0, 0) - (9, 0)': {latency: 1 cycle}}}",
     "t.yaml:2:16: links.where.(0, 0) - (9, 0): there is no router '(9, 0)'"},
    {"links: {where: {'(9, 0) - (0, 0)': {latency: 1 cycle}}}",
     "t.yaml:2:16: links.where.(9, 0) - (0, 0): there is no router '(9, 0)'"},
    {"links: {where: {'(0, 0):p9->(0, 1)': {latency: 1 cycle}}}",
     "t.yaml:2:16: links.where.(0, 0):p9->(0, 1): there is no link '(0, 0):p9->(0, 1)'; one is "
     "'(0,0)+x'"},
    {"topology: {kind: butterfly, arity: 2, stages: 2}\nlinks: {where: {'*': {latency: 1 cycle}}}",
     "t.yaml:3:16: links.where is for topologies whose links lead both ways; those of a butterfly "
     "do not"},
    {"faults: {links: [0, 1, 2]}",
     "t.yaml:2:17: faults.links must list pairs of routers, found 3 numbers"},
    {"faults: {links: [0, 5]}",
     "t.yaml:2:17: faults.links names the pair 0, 5, but no link joins these routers"},
    {"faults: {links: [0, 99]}",
     "t.yaml:2:17: faults.links names router 99, but routers are 0 … 15"},
    {"faults: {routers: [99]}",
     "t.yaml:2:19: faults.routers names router 99, but routers are 0 … 15"},
    {"faults: {routers: [1]}", "t.yaml:2:9: faults names router 1, which has endpoints: only "
                               "routers without any can be down, 0 of 16 here"},
    {"faults: {random: 64}", "t.yaml:2:18: faults.random must be at most 32, the cables between "
                             "routers that are still up, found 64"},
    {"faults: {named: '(0, 0) - (0, 1),'}",
     "t.yaml:2:9: faults cut off router 0 from router 1: routing minimal-oblivious has no way past "
     "them; up-down finds one wherever routers are still joined"},
    {"faults: {named: ', (0, 0) - (0, 1)'}",
     "t.yaml:2:18: faults.named: a name is missing in ', (0, 0) - (0, 1)'"},
    {"faults: {named: '(0, 0) - (0, 2)'}",
     "t.yaml:2:18: faults.named: no link joins (0, 0) and (0, 2)"},
    {"faults: {named: '(0, 0)'}", "t.yaml:2:9: faults names router 0, which has endpoints: only "
                                  "routers without any can be down, 0 of 16 here"},
    {"faults: {links: [0, 1], at: 5 cycles}",
     "t.yaml:2:9: faults cut off router 0 from router 1: routing minimal-oblivious has no way past "
     "them; up-down finds one wherever routers are still joined"},
    {"topology: {kind: fat-tree, form: xgft, down: "
     "[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2], up: "
     "[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}",
     "t.yaml:2:101: topology.up begins with 2, so that adapters are a level of their own: at most "
     "23 others, found 24"},
    {"topology: {kind: fat-tree, form: xgft, down: [1024, 1024, 1024], up: [1, 1, 1]}",
     "t.yaml:2:11: a switch of level 1 has more than 1024 ports"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 500, 500, 500], up: [1, 500, 500, 500]}",
     "t.yaml:2:11: more than 268435456 switches (2^28), the most there can be"},
    {"topology: {kind: fat-tree, form: xgft, down: [2, 600, 600], up: [1, 400, 400], global: true}",
     "t.yaml:2:88: topology.global makes 1200 port numbers (those to the highest level differ from "
     "all others), at most 1024 can be told apart"},
    {"topology: {kind: hierarchy, outer: {kind: butterfly, arity: 2, stages: 2}, inner: {kind: "
     "full, routers: 2}}",
     "t.yaml:2:36: topology.outer must have hosts: 1, found 2 (endpoints sit at the routers of "
     "topology.inner: set its hosts)"},
};

static void topologies_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(topologies, refusals_with_file);
}

static const refusal routings[] = {
    {"routing: {kind: dimension-order, dateline: shared}\ntopology: {kind: torus, dims: [3, 3, 3, "
     "3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]}",
     "t.yaml:2:44: routing.dateline shared needs one bit of 32 in a packet's route, this topology "
     "leaves none: use on-entry"},
    {"routing: {kind: tables, file: refused.txt}\ntopology: {kind: torus, dims: [300, 300]}\n===\n",
     "t.yaml:2:10: forwarding tables from 90000 routers to 90000 take 7.5 GiB; at most 2 GiB are "
     "used for them: use fewer"},
    {"routing: {kind: dimension-order, dateline: shared}\ntopology: {kind: full, routers: 4}",
     "t.yaml:2:44: routing.dateline shared is for tori and meshes, found a full: use on-entry"},
    {"routing: {kind: dimension-order, dateline: shared}\ntopology: {kind: hierarchy, outer: "
     "{kind: torus, dims: [4]}, inner: {kind: torus, dims: [4]}}",
     "t.yaml:2:44: routing.dateline shared is for tori and meshes, found a hierarchy: use "
     "on-entry"},
    {"routing: d-mod-k",
     "t.yaml:2:10: routing d-mod-k is for trees (fat-tree), found topology torus: use "
     "dimension-order, which takes the first minimal way on any topology"},
    {"routing: o1turn\ntopology: {kind: full, routers: 4}",
     "t.yaml:2:10: routing o1turn needs a topology with two dimensions or more (torus, mesh, "
     "hypercube, flattened-butterfly), found a full"},
    {"routing: hamiltonian\ntopology: {kind: torus, dims: [4, 5]}",
     "t.yaml:2:10: routing hamiltonian needs a torus of k × k routers, k from 3 to 63, as "
     "topology: {kind: torus, dims: [16, 16]}"},
    {"routing: hamiltonian\ntopology: {kind: mesh, dims: [4, 4]}",
     "t.yaml:2:10: routing hamiltonian needs a torus of k × k routers, k from 3 to 63, as "
     "topology: {kind: torus, dims: [16, 16]}"},
    {"routing: hamiltonian\ntopology: {kind: torus, dims: [2, 2]}",
     "t.yaml:2:10: routing hamiltonian needs a torus of k × k routers, k from 3 to 63, as "
     "topology: {kind: torus, dims: [16, 16]}"},
    {"routing: hamiltonian\ntopology: {kind: torus, dims: [4, 4, 4]}",
     "t.yaml:2:10: routing hamiltonian needs a torus of k × k routers, k from 3 to 63, as "
     "topology: {kind: torus, dims: [16, 16]}"},
    {"routing: hamiltonian\ntopology: {kind: torus, dims: [64, 64]}",
     "t.yaml:2:10: routing hamiltonian needs a torus of k × k routers, k from 3 to 63, as "
     "topology: {kind: torus, dims: [16, 16]}"},
    {"routing: hamiltonian\ntopology: {kind: torus, dims: [4, 4]}\nfaults: {links: [0, 1]}",
     "t.yaml:2:10: routing hamiltonian needs every link of its cycles: leave out faults, or use "
     "routing up-down"},
    {"routing: {kind: up-down, selection: random}",
     "t.yaml:2:37: routing.selection chooses between ports: it goes with adaptive: true, without "
     "it the endpoint decides"},
    {"routing: {kind: up-down, root: 16}",
     "t.yaml:2:32: routing.root must be a router, 0 … 15 here, found 16"},
    {"routing: {kind: up-down}\ntopology: {kind: butterfly, arity: 2, stages: 2}",
     "t.yaml:2:10: routing up-down needs links that lead both ways, those of a butterfly lead one "
     "way: use routing dimension-order"},
    {"routing: {kind: zone, masks: AB, zones: 2}",
     "t.yaml:2:30: routing.masks has 1 zones, routing.zones is 2"},
    {"routing: {kind: zone, masks: A}",
     "t.yaml:2:30: routing.masks must name all dimensions, A to B here, in every zone"},
    {"routing: {kind: zone, masks: AC}", "t.yaml:2:30: routing.masks names every dimension, A to B "
                                         "here, once for each zone, as AB>C/C>AB, found C"},
    {"routing: {kind: zone, masks: A>}",
     "t.yaml:2:30: routing.masks must name all dimensions, A to B here, in every zone"},
    {"routing: {kind: zone, masks: AB>A}", "t.yaml:2:30: routing.masks names every dimension, A to "
                                           "B here, once for each zone, as AB>C/C>AB, found >A"},
    {"routing: {kind: zone, masks: 'A B>'}",
     "t.yaml:2:31: routing.masks names every dimension, A to B here, once for each zone, as "
     "AB>C/C>AB, found >"},
    {"routing: {kind: zone, masks: 'AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB/AB'}",
     "t.yaml:2:31: routing.masks names more than 16 zones"},
    {"routing: {kind: zone, masks: 'AB/'}",
     "t.yaml:2:31: routing.masks must name all dimensions, A to B here, in every zone"},
    {"routing: {kind: zone, masks: ''}",
     "t.yaml:2:31: routing.masks must name all dimensions, A to B here, in every zone"},
    {"routing: {kind: zone}\ntopology: {kind: full, routers: 4}",
     "t.yaml:2:10: routing zone needs a topology with dimensions (torus, mesh, hypercube, "
     "flattened-butterfly, or a hierarchy of such), found full"},
    {"routing: {kind: zone, escape: 4}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:3:35: router.vcs must be at least 5 for routing zone here (4 for the escape path and "
     "one that is open to all), found 4"},
    {"routing: {kind: valiant, via: group}", "t.yaml:2:31: routing.via must be router on a torus, "
                                             "whose routers form no groups, found group"},
    {"routing: {kind: ugal, via: group}",
     "t.yaml:2:10: routing ugal decides at the routers that packets come to, by the queues there, "
     "and router output-queued does not ask it: use router input-queued, or routing valiant or "
     "minimal-adaptive"},
    {"routing: {kind: ugal}\nrouter: output-queued",
     "t.yaml:2:10: routing ugal decides at the routers that packets come to, by the queues there, "
     "and router output-queued does not ask it: use router input-queued, or routing valiant or "
     "minimal-adaptive"},
    {"routing: par", "t.yaml:2:10: routing par decides at the routers that packets come to, by the "
                     "queues there, and router output-queued does not ask it: use router "
                     "input-queued, or routing valiant or minimal-adaptive"},
    {"routing: infiniband",
     "t.yaml:2:10: routing infiniband needs a fabric with forwarding tables and SL2VL tables: weft "
     "import infiniband FILE --lft FILE --sl2vl FILE"},
    {"routing: tables", "t.yaml:2:10: routing.file must name the forwarding tables: this topology "
                        "has none of its own"},
    {"routing: {kind: tables, file: missing.txt}",
     "t.yaml:2:10: missing.txt cannot be read: No such file or directory"},
    {"routing: {kind: tables, file: refused.txt}\n===\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 1 to router 0 (240 ordered pairs "
     "of endpoints have no path in all): an entry is missing, they lead in a circle, or to a "
     "router that is left out"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0\n",
     "t.yaml:2:10: refused.txt:1: the destination is missing; it is a router"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1\n",
     "t.yaml:2:10: refused.txt:1: the third word must be a port, 0 … 3 here, found ''"},
    {"routing: {kind: tables, file: refused.txt}\n===\n16 1 0\n",
     "t.yaml:2:10: refused.txt:1: the first word must be a router, 0 … 15 here, found '16'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 16 0\n",
     "t.yaml:2:10: refused.txt:1: the destination must be a router, 0 … 15 here, found '16'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 0 0\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 1 to router 0 (240 ordered pairs "
     "of endpoints have no path in all): an entry is missing, they lead in a circle, or to a "
     "router that is left out"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1 4\n",
     "t.yaml:2:10: refused.txt:1: the third word must be a port, 0 … 3 here, found '4'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1 x\n",
     "t.yaml:2:10: refused.txt:1: the third word must be a port, 0 … 3 here, found 'x'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1 0 0\n",
     "t.yaml:2:10: refused.txt:1: three words are `router destination port`, found '0' after them"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1 0\n0 1 1\n",
     "t.yaml:2:10: refused.txt:2: the table said port 0 for this destination before, port 1 now"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1 0\n0 1 0\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 1 to router 0 (240 ordered pairs "
     "of endpoints have no path in all): an entry is missing, they lead in a circle, or to a "
     "router that is left out"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1:h1 0\n",
     "t.yaml:2:10: refused.txt:1: the destination must be a router with endpoints, or one of its 1 "
     "endpoints such as 0:h0, found '1:h1'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 99:h0 0\n",
     "t.yaml:2:10: refused.txt:1: the destination must be a router with endpoints, or one of its 1 "
     "endpoints such as 0:h0, found '99:h0'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1:hx 0\n",
     "t.yaml:2:10: refused.txt:1: the destination must be a router with endpoints, or one of its 1 "
     "endpoints such as 0:h0, found '1:hx'"},
    {"routing: {kind: tables, file: refused.txt}\n===\n0 1:h0 0\n0 1:h0 1\n",
     "t.yaml:2:10: refused.txt:2: the table said port 0 for this destination before, port 1 now"},
    {"routing: {kind: tables, file: refused.txt}\n===\n# a comment\n(0, 0) (0, 1) 0\n",
     "t.yaml:2:10: refused.txt:2: the first word must be a router, 0 … 15 here, found '(0,'"},
    {"routing: {kind: tables, file: refused.txt}\ntopology: {kind: full, routers: 3}\n===\n0 1 "
     "0\n0 2 1\n1 2 0\n1 0 1\n2 0 0\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 2 to router 1 (1 ordered pair of "
     "endpoints has no path in all): an entry is missing, they lead in a circle, or to a router "
     "that is left out"},
    {"routing: {kind: tables, file: refused.txt}\ntopology: {kind: full, routers: 3}\n===\n0 1 "
     "1\n0 2 1\n1 2 0\n1 0 1\n2 0 0\n2 1 0\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 0 to router 1 (2 ordered pairs of "
     "endpoints have no path in all): an entry is missing, they lead in a circle, or to a router "
     "that is left out"},
    {"routing: {kind: tables, file: refused.txt}\ntopology: {kind: butterfly, arity: 2, stages: "
     "2}\n===\n0 1 1\n",
     "t.yaml:2:10: routing tables needs links that lead both ways and routers of at most 254 "
     "ports: use routing dimension-order"},
    {"routing: {kind: source, file: missing.txt}",
     "t.yaml:2:10: missing.txt cannot be read: No such file or directory"},
    {"routing: {kind: source, file: refused.txt}\n===\n",
     "t.yaml:2:31: routing.file has no route from router 0 to router 1; every pair of routers with "
     "endpoints needs one"},
    {"routing: {kind: source, file: refused.txt}\n===\n0\n",
     "t.yaml:2:10: refused.txt:1: the second word is missing; it is a router"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1\n",
     "t.yaml:2:10: refused.txt:1: this route ends at router 0, not at router 1"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 9\n",
     "t.yaml:2:10: refused.txt:1: a route is made of ports, 0 … 3 here (or of `via` and routers), "
     "found '9'"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 x\n",
     "t.yaml:2:10: refused.txt:1: a route is made of ports, 0 … 3 here (or of `via` and routers), "
     "found 'x'"},
    {"routing: {kind: source, file: refused.txt}\n===\n16 1 0\n",
     "t.yaml:2:10: refused.txt:1: the first word must be a router, 0 … 15 here, found '16'"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 16 0\n",
     "t.yaml:2:10: refused.txt:1: the second word must be a router, 0 … 15 here, found '16'"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 0 0\n",
     "t.yaml:2:10: refused.txt:1: a route joins two different routers with endpoints"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 5 0\n",
     "t.yaml:2:10: refused.txt:1: this route ends at router 4, not at router 5"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 via\n",
     "t.yaml:2:31: routing.file has no route from router 0 to router 2; every pair of routers with "
     "endpoints needs one"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 via 5 1\n",
     "t.yaml:2:10: refused.txt:1: no link that is up leads from router 0 to router 5"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 via 99\n",
     "t.yaml:2:10: refused.txt:1: what comes after `via` must be a router, 0 … 15 here, found "
     "'99'"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 2 via 1\n0 2 via 1\n",
     "t.yaml:2:31: routing.file has no route from router 0 to router 1; every pair of routers with "
     "endpoints needs one"},
    {"routing: {kind: source, file: refused.txt}\n===\n0 1 via 1\n",
     "t.yaml:2:10: refused.txt:1: no link that is up leads from router 1 to router 1"},
    {"routing: {kind: source, file: refused.txt}\ntopology: {kind: full, routers: 3}\n===\n0 1 0\n",
     "t.yaml:2:31: routing.file has no route from router 0 to router 2; every pair of routers with "
     "endpoints needs one"},
    {"routing: {kind: source, file: refused.txt}\ntopology: {kind: full, routers: 3}\n===\n0 1 via "
     "1\n0 1 via 2 1\n0 1 via 1\n",
     "t.yaml:2:10: refused.txt:1: no link that is up leads from router 1 to router 1"},
    {"routing: {kind: minimal-oblivious, selection: least-occupied}",
     "t.yaml:2:47: routing.selection least-occupied chooses between ports at the router: it needs "
     "routing minimal-adaptive, minimal-oblivious has one port only"},
    {"router: {kind: input-queued, vcs: 1}",
     "t.yaml:2:35: router.vcs must be at least 2 for routing minimal-oblivious on a torus (packets "
     "that will pass the dateline of a ring and those that will not use different ones), found 1"},
    {"router: {kind: input-queued, vcs: 2}\nrouting: valiant",
     "t.yaml:2:35: router.vcs must be at least 4 for routing valiant on a torus (2 on the way to "
     "an intermediate router and as many from there), found 2"},
    {"router: {kind: input-queued, vcs: 2}\nrouting: minimal-adaptive",
     "t.yaml:2:35: router.vcs must be at least 3 for routing minimal-adaptive here (2 for the "
     "escape path and one that is open to all), found 2"},
    {"router: queue",
     "t.yaml:2:9: router lacks the setting 'service' (mean time of a service at the first rate)"},
    {"traffic: {all: {length: 8 flits, load: 0.1, vcs: [0, 2]}}\nrouter: {kind: input-queued, vcs: "
     "4}",
     "t.yaml:2:50: traffic.all.vcs must be virtual channels in a row, from 0 to 3 here "
     "(router.vcs), found 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, vcs: [3, 4]}}\nrouter: {kind: input-queued, vcs: "
     "4}",
     "t.yaml:2:50: traffic.all.vcs must be virtual channels in a row, from 0 to 3 here "
     "(router.vcs), found 4"},
    {"traffic: {all: {length: 8 flits, load: 0.1, vcs: [0]}}",
     "t.yaml:2:50: traffic.all.vcs: virtual channels are those of router input-queued, found "
     "output-queued"},
    {"traffic: {all: {length: 8 flits, load: 0.1, vcs: [0]}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:50: traffic.all.vcs must name at least 2 for routing minimal-oblivious on a torus "
     "(packets that will pass the dateline of a ring and those that will not use different ones), "
     "found 1"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1}}",
     "t.yaml:2:49: traffic.all.sl: service levels are for routers with virtual channels: use "
     "router input-queued, found output-queued"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1, vcs: [0, 1]}}\nrouter: {kind: "
     "input-queued, vcs: 4, sl2vl: [0, 2]}",
     "t.yaml:3:45: router.sl2vl must name 16 VLs, of service levels 0 to 15, found 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 3}}\nrouter: {kind: input-queued, vcs: 4, "
     "sl2vl: [0, 2]}",
     "t.yaml:3:45: router.sl2vl must name 16 VLs, of service levels 0 to 15, found 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1}}\nrouter: {kind: input-queued, vcs: 2, "
     "sl2vl: [0, 2]}",
     "t.yaml:3:45: router.sl2vl must name 16 VLs, of service levels 0 to 15, found 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, management: true}}",
     "t.yaml:2:57: traffic.all.management: VL 15 is beside 1 to 15 virtual channels (router.vcs) "
     "of an input-queued router, found 0"},
    {"routing: {kind: ugal, via: group}\nrouter: {kind: input-queued, vcs: 8}",
     "t.yaml:2:28: routing.via must be router on a torus, whose routers form no groups, found "
     "group"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1, vcs: [0, 1]}}\nrouter: {kind: "
     "input-queued, vcs: 4, sl2vl: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}",
     "t.yaml:2:57: traffic.all.vcs and its sl both say which virtual channel the packets of the "
     "class use: give one of them"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1}}\nrouter: {kind: input-queued, vcs: 4, "
     "sl2vl: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}",
     "t.yaml:2:16: traffic.all: packets of service level 1 travel on one virtual channel, VL 2, "
     "which routing minimal-oblivious does not do here (router.vcs must be at least 2 for routing "
     "minimal-oblivious on a torus (packets that will pass the dateline of a ring and those that "
     "will not use different ones), found 1): use a routing that needs one, such as up-down or "
     "tables"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1}}\nrouter: {kind: input-queued, vcs: 2, "
     "sl2vl: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}",
     "t.yaml:3:35: router.vcs must be at least 3, as router.sl2vl gives service level 1 VL 2, "
     "found 2"},
    {"traffic: {all: {length: 8 flits, load: 0.1, sl: 1}}\nrouter: {kind: input-queued, vcs: 4}",
     "t.yaml:2:16: traffic.all: packets of service level 1 travel on one virtual channel, VL 1, "
     "which routing minimal-oblivious does not do here (router.vcs must be at least 2 for routing "
     "minimal-oblivious on a torus (packets that will pass the dateline of a ring and those that "
     "will not use different ones), found 1): use a routing that needs one, such as up-down or "
     "tables"},
    {"routing: {kind: minimal-adaptive, selection: least-occupied}\nrouter: queue",
     "t.yaml:3:9: router lacks the setting 'service' (mean time of a service at the first rate)"},
    {"routing: {kind: tables, file: refused.txt}\ntopology: {kind: full, routers: 3, hosts: "
     "2}\n===\n0 1 0\n0 2 1\n1 2 0\n1 0 1\n2 0 0\n2 1:h0 1\n",
     "t.yaml:2:10: the forwarding tables do not lead from router 2 to router 1 (2 ordered pairs of "
     "endpoints have no path in all): an entry is missing, they lead in a circle, or to a router "
     "that is left out"},
};

static void routings_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(routings, refusals_with_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topologies_are_refused_with_their_sentence),
        cmocka_unit_test(routings_are_refused_with_their_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
