/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios that cannot be meant: what is wrong, where, and what would be right. */
#include "test_refusals.h"

static const refusal settings[] = {
    {"vary: 5", "t.yaml:2:7: vary must be a map from paths to values, found '5'"},
    {"vary: {'': [1]}", "t.yaml:2:9: '' is not a path of settings such as routing.selection"},
    {"vary: {a b: [1]}", "t.yaml:2:8: 'a b' is not a path of settings such as routing.selection"},
    {"vary: {interweft: [1]}", "t.yaml:2:8: 'interweft' cannot vary"},
    {"vary: {include.x: [1]}", "t.yaml:2:8: 'include' cannot vary"},
    {"vary: {vary: [1]}", "t.yaml:2:8: 'vary' cannot vary"},
    {"vary: {together: 5}", "t.yaml:2:18: vary.together must be a list of maps, found '5'"},
    {"vary: {together: {from: 1, to: 2, step: 1}}",
     "t.yaml:2:18: vary.together must be a list of maps, found a map"},
    {"vary: {together: []}",
     "t.yaml:2:18: vary.together is an empty list; give at least one value"},
    {"vary: {together: [5]}", "t.yaml:2:19: vary.together is a list of maps from paths to values, "
                              "such as [{seed: 1, traffic.all.rho: 0.3}]"},
    {"vary: {together: [{}]}", "t.yaml:2:19: vary.together is a list of maps from paths to values, "
                               "such as [{seed: 1, traffic.all.rho: 0.3}]"},
    {"vary: {together: [{seed: 1}, {seed: 2, title: x}]}",
     "t.yaml:2:30: every entry of vary.together must set the same paths as the first one"},
    {"vary: {together: [{seed: 1}, {title: x}]}",
     "t.yaml:2:30: every entry of vary.together must set the same paths as the first one"},
    {"vary: {together: [{seed: 1, a b: 2}]}",
     "t.yaml:2:29: 'a b' is not a path of settings such as routing.selection"},
    {"vary: {together: [{seed: 1}, {seed: 1}]}",
     "t.yaml:2:18: vary.together has the value {seed: 1} twice"},
    {"vary: {together: [{seed: 1}], seed: [2]}", "t.yaml:2:20: 'seed' is varied twice"},
    {"vary: {seed: 5}",
     "t.yaml:2:14: vary.seed must be a list of values or {from, to, step}, found '5'"},
    {"vary: {seed: [1, 2, 1]}", "t.yaml:2:14: vary.seed has the value 1 twice"},
    {"vary: {seed: {from: 1, to: 3, stp: 1}}", "t.yaml:2:31: vary.seed has no setting 'stp' (a "
                                               "range is {from, to, step}); did you mean 'step'?"},
    {"vary: {seed: {from: 1, to: 3, pace: 1}}",
     "t.yaml:2:31: vary.seed has no setting 'pace' (a range is {from, to, step})"},
    {"vary: {seed: {from: 1, to: 3}}",
     "t.yaml:2:14: vary.seed lacks 'step'; a range is {from, to, step}"},
    {"vary: {seed: {to: 3, step: 1}}",
     "t.yaml:2:14: vary.seed lacks 'from'; a range is {from, to, step}"},
    {"vary: {seed: {from: x, to: 3, step: 1}}",
     "t.yaml:2:21: vary.seed.from must be a decimal number of at most 15 digits, with or without a "
     "unit, found 'x'"},
    {"vary: {seed: {from: 1, to: [3], step: 1}}",
     "t.yaml:2:28: vary.seed.to must be a decimal number of at most 15 digits, with or without a "
     "unit, found a list"},
    {"vary: {seed: {from: 1, to: 3, step: 1e0}}",
     "t.yaml:2:37: vary.seed.step must be a decimal number of at most 15 digits, with or without a "
     "unit, found '1e0'"},
    {"vary: {seed: {from: 1, to: 3, step: .}}",
     "t.yaml:2:37: vary.seed.step must be a decimal number of at most 15 digits, with or without a "
     "unit, found '.'"},
    {"vary: {seed: {from: 1234567890123456, to: 3, step: 1}}",
     "t.yaml:2:21: vary.seed.from must be a decimal number of at most 15 digits, with or without a "
     "unit, found '1234567890123456'"},
    {"vary: {seed: {from: 1 cycles, to: 3 ns, step: 1 cycles}}",
     "t.yaml:2:14: vary.seed: from, to and step must have the same unit"},
    {"vary: {seed: {from: 1, to: 3 cycles, step: 1 cycles}}",
     "t.yaml:2:14: vary.seed: from, to and step must have the same unit"},
    {"vary: {seed: {from: 1 cycles, to: 3 cycles, step: 1}}",
     "t.yaml:2:14: vary.seed: from, to and step must have the same unit"},
    {"vary: {seed: {from: 1 cy, to: 3 cys, step: 1 cy}}",
     "t.yaml:2:14: vary.seed: from, to and step must have the same unit"},
    {"vary: {seed: {from: 100000000000000, to: 100000000000001, step: 0.00000000000001}}",
     "t.yaml:2:14: vary.seed: from, to and step have too many digits together"},
    {"vary: {seed: {from: 1, to: 100000000000000, step: 0.00000000000001}}",
     "t.yaml:2:14: vary.seed: from, to and step have too many digits together"},
    {"vary: {seed: {from: 3, to: 1, step: 1}}",
     "t.yaml:2:37: vary.seed: a step of 1 never leads from 3 to 1"},
    {"vary: {seed: {from: 1, to: 3, step: -1}}",
     "t.yaml:2:37: vary.seed: a step of -1 never leads from 1 to 3"},
    {"vary: {seed: {from: 1, to: 3, step: 0}}", "t.yaml:2:37: vary.seed.step must not be 0"},
    {"vary: {seed: {from: 0, to: 1000000, step: 1}}",
     "t.yaml:2:14: vary.seed gives more than 1000000 values, the limit of a grid"},
    {"vary: {seed: {from: 1, to: 1000, step: 1}, traffic.all.load: {from: 0, to: 1, step: 0.001}}",
     "t.yaml:2:44: vary gives more than 1000000 points"},
    {"vary: {a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q: [1]}", "t.yaml:2:8: a path of more than 16 parts"},
    {"vary: {topology..dims: [1]}",
     "t.yaml:2:8: 'topology..dims' is not a path of settings such as routing.selection"},
    {"vary: {topology.: [1]}",
     "t.yaml:2:8: 'topology.' is not a path of settings such as routing.selection"},
    {"vary: {topology.dims.0: [5]}",
     "t.yaml:2:22: 'dims' is a list, whose parts have no names; give all of it, such as [4, 4]"},
    {"vary: {traffic.al.load: [0.1]}",
     "t.yaml:2:16: traffic has no class 'al'; did you mean 'all'?"},
    {"vary: {traffic.al: [0.1]}", "t.yaml:2:21: traffic.al must be a map of settings, found '0.1'"},
    {"vary: {topology.dims: [[4, 4], [1, 4]]}",
     "t.yaml:2:33: topology.dims must be 2 … 65535, found 1"},
    {"traffic: 5", "t.yaml:2:10: traffic must be a map from names to classes, found '5'"},
    {"traffic: {}", "t.yaml:2:10: traffic must be a map from names to classes, found none"},
    {"traffic: []",
     "t.yaml:2:10: traffic must be a map from names to classes, found an empty list"},
    {"traffic: {all: 5}", "t.yaml:2:16: traffic.all must be a map of settings, found '5'"},
    {"traffic: {9all: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:11: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found '9all'"},
    {"traffic: {_all: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:11: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found '_all'"},
    {"traffic: {-all: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:11: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found '-all'"},
    {"traffic: {a.b: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:11: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found 'a.b'"},
    {"traffic: {a{b: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:12: not valid YAML: ',' or '}' is missing here; the map begins at line 2, column "
     "10"},
    {"traffic: {'': {length: 8 flits, load: 0.1}}",
     "t.yaml:2:12: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found ''"},
    {"traffic: {a2345678901234567890123456789012345678901: {length: 8 flits, load: 0.1}}",
     "t.yaml:2:11: a traffic class is named by a letter and at most 39 letters, digits, - and _; "
     "found 'a2345678901234567890123456789012345678901'"},
    {"traffic: {Z-9_z: {length: 8 flits}}",
     "t.yaml:2:18: traffic.Z-9_z lacks its load: give one of load, rho, rate and share"},
    {"traffic: {all: {length: 8 flits, load: none, rho: none}}",
     "t.yaml:2:16: traffic.all lacks its load: give one of load, rho, rate and share"},
    {"traffic: {all: {length: 8 flits, load: 'none'}}",
     "t.yaml:2:41: traffic.all.load must be a fraction such as 0.3 or 30%, found 'none'"},
    {"traffic: {all: {length: 8 flits, load: 0.1, share: 1}}",
     "t.yaml:2:45: traffic.all has both 'load' and 'share'; give exactly one of load, rho, rate "
     "and share (or set the other to none)"},
    {"traffic: {all: {length: 8 flits, rho: 0.1, rate: 1}}",
     "t.yaml:2:44: traffic.all has both 'rho' and 'rate'; give exactly one of load, rho, rate and "
     "share (or set the other to none)"},
    {"traffic: {all: {length: 8 flits, load: 1.01}}",
     "t.yaml:2:40: traffic.all.load: 1.01 is 1.01 times what links carry; a load above 1 needs "
     "traffic.all.overload: true"},
    {"traffic: {all: {length: 8 flits, rho: 2}}",
     "t.yaml:2:39: traffic.all.rho: 2 is 2 times what links carry; 2 % is 0.02; a load above 1 "
     "needs traffic.all.overload: true"},
    {"traffic: {all: {length: 8 flits, rho: 200%}}",
     "t.yaml:2:39: traffic.all.rho: 200% is 2 times what links carry; a load above 1 needs "
     "traffic.all.overload: true"},
    {"traffic: {all: {length: 8 flits, load: 1.99}}",
     "t.yaml:2:40: traffic.all.load: 1.99 is 1.99 times what links carry; a load above 1 needs "
     "traffic.all.overload: true"},
    {"traffic: {all: {length: 8 flits, share: 1}}",
     "t.yaml:2:34: traffic.all.share needs the section 'offered', such as offered: {load: 0.5}"},
    {"traffic: {all: {length: 8 flits, load: 0.1}}\noffered: {load: 0.1}",
     "t.yaml:3:1: no traffic class has a share of 'offered'; give them 'share', or leave 'offered' "
     "out"},
    {"traffic: {a: {length: 8 flits, share: 0.5}, b: {length: 8 flits, share: 0.6}}\noffered: "
     "{load: 0.1}",
     "t.yaml:2:1: the shares of the traffic classes must sum to 1, found 1.1"},
    {"traffic: {a: {length: 8 flits, share: 0.5}, b: {length: 8 flits, share: 0.4}}\noffered: "
     "{load: 0.1}",
     "t.yaml:2:1: the shares of the traffic classes must sum to 1, found 0.9"},
    {"traffic: {a: {length: 8 flits, share: 1}}\noffered: {}",
     "t.yaml:3:10: offered lacks its load: give one of load, rho and rate"},
    {"traffic: {a: {length: 8 flits, share: 1}}\noffered: {load: 0.1, rate: 1}",
     "t.yaml:3:22: offered has both 'load' and 'rate'; give exactly one of load, rho and rate (or "
     "set the other to none)"},
    {"traffic: {a: {length: 8 flits, share: 1}}\noffered: {rho: 1.5}",
     "t.yaml:3:16: offered.rho: 1.5 is 1.5 times what links carry; a load above 1 needs "
     "offered.overload: true"},
    {"traffic: {a: {length: 8 flits, share: 1}}\noffered: {share: 1}",
     "t.yaml:3:11: offered has no setting 'share' (known: load, rho, rate, overload)"},
    {"traffic: {a: {length: 8 flits, rate: 1e6}}",
     "t.yaml:2:38: router.header (by default 1 cycle) is in cycles and traffic.a.rate in seconds; "
     "give the section 'clock', such as clock: 1 GHz"},
    {"traffic: {a: {length: 8 flits, load: 0.1}}\nlinks: {flit: 2 flits}",
     "t.yaml:3:15: links.flit is a size in bytes, such as 16 B"},
    {"links: {where: 5}", "t.yaml:2:16: links.where must be a map from names of links to rate and "
                          "latency, such as {'leaf1 - spine2': {rate: 25 Gb/s}}, found '5'"},
    {"links: {where: {'r0 - r1': 5}}",
     "t.yaml:2:28: links.where.r0 - r1 must be a map of settings, found '5'"},
    {"links: {where: {'r0 - r1': {rat: 1 Gb/s}}}",
     "t.yaml:2:29: links.where.r0 - r1 has no setting 'rat'; did you mean 'rate'?"},
    {"links: {where: {'no such': {rate: 1 flits/cycle}}}",
     "t.yaml:2:16: links.where.no such: there is no router 'no such'"},
    {"links: 5", "t.yaml:2:8: links must be a map of settings, found '5'"},
    {"links: {wher: {}}", "t.yaml:2:9: links has no setting 'wher'; did you mean 'where'?"},
    {"links: {rate: 1 Gb/s, latency: 2 cycles}",
     "t.yaml:2:32: links.latency is in cycles and links.rate in seconds; give the section 'clock', "
     "such as clock: 1 GHz"},
    {"links: {latency: 2 ns}",
     "t.yaml:2:18: router.header (by default 1 cycle) is in cycles and links.latency in seconds; "
     "give the section 'clock', such as clock: 1 GHz"},
    {"router: {kind: input-queued, lanes: 2}",
     "t.yaml:2:30: router has no setting 'lanes'; it is called 'vcs' now"},
    {"router: {where: 5}",
     "t.yaml:2:17: router.where must be a map from names of devices to settings, found '5'"},
    {"router: {kind: input-queued, where: {r0: {vcs: 99}}}",
     "t.yaml:2:48: router.where.r0.vcs must be 1 … 16, found 99"},
    {"router: {kind: input-queued, where: {r0: {vcs: 2}}}",
     "t.yaml:2:30: router.where is not built yet: all have the same settings; links.where is"},
    {"router: {kind: input-queued, where: {}}",
     "t.yaml:2:30: router.where is not built yet: all have the same settings; links.where is"},
    {"endpoint: {where: {h0: {ports: 0}}}",
     "t.yaml:2:32: endpoint.where.h0.ports must be 1 … 16, found 0"},
    {"endpoint: {where: {h0: {ports: 2}}}",
     "t.yaml:2:12: endpoint.where is not built yet: all have the same settings; links.where is"},
    {"endpoint: {where: [h0]}",
     "t.yaml:2:19: endpoint.where must be a map from names of devices to settings, found a list"},
    {"faults: [[a]]", "t.yaml:2:10: faults lists names of routers and cables, such as [spine3, "
                      "'leaf1 - spine2'], found a list"},
    {"faults: [none such]", "t.yaml:2:9: faults.named: there is no router 'none'"},
    {"faults: none such", "t.yaml:2:9: faults.named: there is no router 'none'"},
    {"measure: {limit: {wall: 20 cycles}}",
     "t.yaml:2:25: measure.limit.wall is real time, such as 10 min, found '20 cycles'"},
    {"measure: {limits: 5}", "t.yaml:2:11: measure has no setting 'limits'; did you mean 'limit'?"},
    {"title: [a]", "t.yaml:2:8: title must be text, found a list"},
    {"seed: -1", "t.yaml:2:7: seed must be at least 0, found -1"},
    {"seed: 1e30",
     "t.yaml:2:7: seed must be a whole number, found '1e30', which is beyond 64 bits"},
    {"clock: 5", "t.yaml:2:8: clock must be a frequency such as 1 GHz, found '5' without a unit "
                 "(Hz, kHz, MHz, GHz, THz)"},
    {"jobs: 5", "t.yaml:2:7: jobs must be a map from names to jobs, found '5'"},
    {"jobs: {}", "t.yaml:2:7: jobs must be a map from names to jobs, found none"},
    {"jobs: []", "t.yaml:2:7: jobs must be a map from names to jobs, found an empty list"},
    {"jobs: {9a: {collective: allreduce/ring}}",
     "t.yaml:2:8: a job is named by a letter and at most 39 letters, digits, - and _; found '9a'"},
    {"jobs: {a: 5}", "t.yaml:2:11: jobs.a must be a map of settings, found '5'"},
    {"jobs: {a: {}}", "t.yaml:2:11: jobs.a lacks its program: give file (a GOAL schedule) or "
                      "collective, such as allreduce/ring, or phases"},
    {"jobs: {a: {phases: 5}}",
     "t.yaml:2:20: jobs.a.phases must be a map from names to phases, such as {forward: {compute: 2 "
     "ms}, gradients: {collective: allreduce/ring, size: 1 MiB}}, found '5'"},
    {"jobs: {a: {phases: {}}}",
     "t.yaml:2:20: jobs.a.phases must be a map from names to phases, such as {forward: {compute: 2 "
     "ms}, gradients: {collective: allreduce/ring, size: 1 MiB}}, found none"},
    {"jobs: {a: {phases: []}}",
     "t.yaml:2:20: jobs.a.phases must be a map from names to phases, such as {forward: {compute: 2 "
     "ms}, gradients: {collective: allreduce/ring, size: 1 MiB}}, found an empty list"},
    {"jobs: {a: {phases: {1: {compute: 2 ms}}}}", "t.yaml:2:21: a phase is named by a letter and "
                                                  "at most 39 letters, digits, - and _; found '1'"},
    {"jobs: {a: {phases: {x: 5}}}",
     "t.yaml:2:24: jobs.a.phases.x must be a map of settings, found '5'"},
    {"jobs: {a: {phases: {x: {}}}}",
     "t.yaml:2:24: jobs.a.phases.x is either a calculation (compute: 2 ms) or a collective "
     "(collective: allreduce/ring); give one"},
    {"jobs: {a: {phases: {x: {compute: 2 ms, collective: allreduce/ring}}}}",
     "t.yaml:2:24: jobs.a.phases.x is either a calculation (compute: 2 ms) or a collective "
     "(collective: allreduce/ring); give one of them"},
    {"jobs: {a: {phases: {x: {collective: allreduce/ring, imbalance: 10%}}}}",
     "t.yaml:2:24: jobs.a.phases.x: imbalance and noise are those of calculations"},
    {"jobs: {a: {phases: {x: {collective: allreduce/ring, noise: 10%}}}}",
     "t.yaml:2:24: jobs.a.phases.x: imbalance and noise are those of calculations"},
    {"jobs: {a: {phases: {x: {collective: allreduce/ring, size: 8 flits}}}}",
     "t.yaml:2:59: jobs.a.phases.x.size is in bytes, such as 64 KiB"},
    {"jobs: {a: {phases: {x: {compute: 2 ms}}, collective: allreduce/ring}}",
     "t.yaml:2:12: jobs.a has both 'phases' and 'collective'; give one"},
    {"jobs: {a: {phases: {x: {compute: 2 ms}}, file: a.goal}}",
     "t.yaml:2:12: jobs.a has both 'phases' and 'file'; give one"},
    {"jobs: {a: {phases: {x: {compute: 2 ms}}, steps: 2}}",
     "t.yaml:2:42: jobs.a.steps is for one collective that is not repeated"},
    {"jobs: {a: {collective: allreduce/ring, steps: 2, repeat: 2}}",
     "t.yaml:2:40: jobs.a.steps is for one collective that is not repeated"},
    {"jobs: {a: {collective: allreduce/ring, steps: 2, background: true}}",
     "t.yaml:2:40: jobs.a.steps is for one collective that is not repeated"},
    {"jobs: {a: {collective: allreduce/ring, file: a.goal}}",
     "t.yaml:2:12: jobs.a has both 'file' and 'collective'; give one"},
    {"jobs: {a: {file: a.goal, ranks: 4}}",
     "t.yaml:2:26: jobs.a.ranks is for collectives: the file says how many there are"},
    {"jobs: {a: {collective: allreduce/ring, background: true, repeat: 2}}",
     "t.yaml:2:58: jobs.a repeats until the others have ended, since it is in the background: "
     "leave out 'repeat'"},
    {"jobs: {a: {collective: allreduce/ring, size: 8 flits}}",
     "t.yaml:2:46: jobs.a.size is in bytes, such as 64 KiB"},
    {"jobs: {a: {collective: allreduce/ring, after: b}}",
     "t.yaml:2:47: jobs.a.after: there is no job 'b'"},
    {"jobs: {aa: {collective: allreduce/ring, after: bb}, bbb: {collective: allreduce/ring}}",
     "t.yaml:2:48: jobs.aa.after: there is no job 'bb'; did you mean 'bbb'?"},
    {"jobs: {a: {collective: allreduce/ring, after: a}}",
     "t.yaml:2:47: jobs.a.after: the job waits for a, which waits for it in turn; one of them must "
     "begin first"},
    {"jobs: {a: {collective: allreduce/ring, after: b}, b: {collective: allreduce/ring, after: c}, "
     "c: {collective: allreduce/ring, after: b}}",
     "t.yaml:2:90: jobs.b.after: the job waits for c, which waits for it in turn; one of them must "
     "begin first"},
    {"jobs: {a: {collective: allreduce/ring, after: b}, b: {collective: allreduce/ring, "
     "background: true}}",
     "t.yaml:2:47: jobs.a.after: job b is in the background and ends with the run; name one that "
     "ends by itself"},
    {"jobs: {a: {collective: allreduce/ring, background: true}, b: {collective: allreduce/ring, "
     "background: true}}",
     "t.yaml:2:7: all jobs are in the background: a run ends when the others have; let one not be "
     "in the background"},
    {"jobs: {a: {collective: alreduce/ring}}",
     "t.yaml:2:11: 'alreduce/ring' is no collective operation: `weft workload list` has them; did "
     "you mean 'allreduce/ring'?"},
    {"jobs: {a: {collective: allreduce/rng}}",
     "t.yaml:2:11: 'allreduce/rng' is no collective operation: `weft workload list` has them; did "
     "you mean 'allreduce/ring'?"},
    {"jobs: {a: {collective: allreduce/ring, size: 8 B, ranks: 17}}",
     "t.yaml:2:11: jobs.a has 17 ranks, and 16 endpoints are free for it"},
    {"include: other.yaml", "t.yaml:2:1: 'include' needs a scenario that is a file"},
    {"interwft: 1", "t.yaml:2:1: a scenario has no section 'interwft'; did you mean 'interweft'?"},
};

static void scenarios_are_refused_with_their_sentence(void **state)
{
    (void)state;
    REFUSED(settings, refusals_scenario);
}

static const refusal texts[] = {
    {"a: *",
     "t.yaml:2:4: not valid YAML: '*' begins a name of letters and digits; put the text in quotes"},
    {"a: &",
     "t.yaml:2:4: not valid YAML: '&' begins a name of letters and digits; put the text in quotes"},
    {"a: & b",
     "t.yaml:2:4: not valid YAML: '&' begins a name of letters and digits; put the text in quotes"},
    {"a: !", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: !<", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: !<x", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: !%zz b", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: !e!x b", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: !!", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: |0\n b", "t.yaml:2:5: not valid YAML: behind '|' or '>' stand at most a digit 1 … 9 and "
                  "'+' or '-'; the text begins in the next line, indented by spaces"},
    {"a: |x\n b", "t.yaml:2:5: not valid YAML: behind '|' or '>' stand at most a digit 1 … 9 and "
                  "'+' or '-'; the text begins in the next line, indented by spaces"},
    {"a: |\n\t\tb", "t.yaml:3:1: not valid YAML: behind '|' or '>' stand at most a digit 1 … 9 and "
                    "'+' or '-'; the text begins in the next line, indented by spaces"},
    {"? title\n: [b]", "t.yaml:3:3: title must be text, found a list"},
    {"a: ? b", "t.yaml:2:4: not valid YAML: '? ' cannot begin a key here; leave it out"},
    {"title: [? b]", "t.yaml:2:8: title must be text, found a list"},
    {"a: b\n--- c", "t.yaml:3:1: a second document; a scenario file holds one"},
    {"a: 'b' c", "t.yaml:2:8: not valid YAML: this fits nothing above it; the map or list around "
                 "it began at line 1, column 1"},
    {"a: 'b'\n 'c'", "t.yaml:3:2: not valid YAML: this fits nothing above it; the map or list "
                     "around it began at line 1, column 1"},
    {"a: [b] c", "t.yaml:2:8: not valid YAML: this fits nothing above it; the map or list around "
                 "it began at line 1, column 1"},
    {"a: [,]", "t.yaml:2:5: not valid YAML: a value is missing before this ','"},
    {"a: [b,,]", "t.yaml:2:7: not valid YAML: a value is missing before this ','"},
    {"a: {,}", "t.yaml:2:5: not valid YAML: a value is missing before this ','"},
    {"a: ]", "t.yaml:2:4: not valid YAML: a value is missing before this ']'"},
    {"a: }", "t.yaml:2:4: not valid YAML: a value is missing before this '}'"},
    {"a: ,", "t.yaml:2:4: not valid YAML: a value is missing before this ','"},
    {"a: [b: c: d]",
     "t.yaml:2:9: not valid YAML: ',' or ']' is missing here; the list begins at line 2, column 4"},
    {"a: - b", "t.yaml:2:4: not valid YAML: an item ('- ') begins a line of its own"},
    {"- a", "t.yaml:2:1: not valid YAML: this fits nothing above it; the map or list around it "
            "began at line 1, column 1"},
    {"- a\nb: c", "t.yaml:2:1: not valid YAML: this fits nothing above it; the map or list around "
                  "it began at line 1, column 1"},
    {"a: b: c", "t.yaml:2:5: not valid YAML: a key cannot stand here; put text with ': ' in "
                "quotes, or look for a ':' that is missing above"},
    {"a: \"\\q\"", "t.yaml:2:5: not valid YAML: no escape sequence that is known; write \\\\ for a "
                   "backslash, or use single quotes"},
    {"a: \"\\xzz\"", "t.yaml:2:7: not valid YAML: no escape sequence that is known; write \\\\ for "
                     "a backslash, or use single quotes"},
    {"a: \"\\uD800\"", "t.yaml:2:7: not valid YAML: no escape sequence that is known; write \\\\ "
                       "for a backslash, or use single quotes"},
    {"a: \"b", "t.yaml:2:4: not valid YAML: this quote is never closed"},
    {"a: 'b\n---\n", "t.yaml:2:4: not valid YAML: this quote is never closed"},
    {"a: @b", "t.yaml:2:4: not valid YAML: a value cannot begin with '@'; put it in quotes"},
    {"a: `b`", "t.yaml:2:4: not valid YAML: a value cannot begin with '`'; put it in quotes"},
    {"a: %b", "t.yaml:2:4: not valid YAML: a value cannot begin with '%'; put it in quotes"},
    {"%YAML 1.1", "t.yaml:2:1: a line that begins with % (a YAML directive) has no meaning in a "
                  "scenario; leave it out, or quote the text"},
    {"a:b", "t.yaml:2:1: not valid YAML: this key has no ':' behind it"},
    {"title: {b:c}", "t.yaml:2:8: title must be text, found a map"},
    {"title: {b}", "t.yaml:2:8: title must be text, found a map"},
    {"a: [b",
     "t.yaml:3:9: not valid YAML: ',' or ']' is missing here; the list begins at line 2, column 4"},
    {"a: {b",
     "t.yaml:3:9: not valid YAML: ',' or '}' is missing here; the map begins at line 2, column 4"},
    {"a: b\n  c: d", "t.yaml:3:4: not valid YAML: a key cannot stand here; put text with ': ' in "
                     "quotes, or look for a ':' that is missing above"},
    {"a\nb: c", "t.yaml:2:1: not valid YAML: this key has no ':' behind it"},
    {"a: \xEF\xBF\xBE", "t.yaml:2:4: not valid YAML: U+FFFE is no character of a text"},
    {"a: \xC2\x85", "t.yaml:2:4: control character U+0085; a scenario is a plain text file"},
    {"a: \x7F", "t.yaml:2:4: control character U+007F; a scenario is a plain text file"},
    {"a: \xC2\x80", "t.yaml:2:4: control character U+0080; a scenario is a plain text file"},
    {"a: b\r%c: d", "t.yaml:3:1: a line that begins with % (a YAML directive) has no meaning in a "
                    "scenario; leave it out, or quote the text"},
    {"title: # c", "t.yaml:2:6: title must be text, found nothing"},
    {"a: ! # c", "t.yaml:2:4: tags ('!…') have no meaning in a scenario; leave it out"},
    {"a: \"b\nc: d\"", "t.yaml:2:4: not valid YAML: this quote is not closed before line 3, which "
                       "is indented no deeper than its key"},
    {"a: 'b\n\n\t\nc'", "t.yaml:2:4: not valid YAML: this quote is not closed before line 5, which "
                        "is indented no deeper than its key"},
    {"... a",
     "t.yaml:2:5: not valid YAML: the value before this is complete; nothing can follow it"},
    {"---\n---", "t.yaml:2:1: a second document; a scenario file holds one"},
    {"<<: a", "t.yaml:2:1: merge keys ('<<') are not used here; 'include' merges files"},
    {"{a: b}: c", "t.yaml:2:1: a key must be a word, found a map"},
};

static void texts_that_are_not_yaml_are_refused_where_they_go_wrong(void **state)
{
    (void)state;
    REFUSED(texts, refusals_scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_are_refused_with_their_sentence),
        cmocka_unit_test(texts_that_are_not_yaml_are_refused_where_they_go_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
