/** What --help prints. */
export const HELP = `rcuscope: a deterministic simulator of the Linux kernel's grace periods: Tree RCU, SRCU, kfree_rcu(), RCU Tasks

  run <what> [key=value ...]     runs it and prints a result
      --json                     as one JSON object
      --values                   with every single latency
      --events FILE              writes the log as JSON lines, RCU trace events with the kernel's strings
      --check                    checks the invariants on the log
  run-many <file.jsonl | -> --json
                                 a configuration (or {"id", "config"}) a line in, {"id", "result"} or
                                 {"id", "error"} a line out
      --values, --check          as for run
  sweep <what> [key=value ...] --param KEY=v1,v2,... [--param ...]
                                 every combination of the values; a table, of floods with duration, grace periods, peak.
                                 A value with a comma stands in double quotes: --param 'stop="done,40ms",100ms'
      --seeds N                  each with N seeds
      --jobs N                   in N threads
      --json
  scenarios [--json]             ready-made runs and their variants
  profiles [--json]              kernels, and the rules in which they differ
  params [--kernel ID] [--hz N] [--cpus N] [--json]
                                 kernel parameters, their defaults and what they read after boot
  machine [--json]               costs and habits of the machine, in each preset
  import <file | -> [--kernel ID [--hz N]] [--json]
                                 what a trace or a kernel log says: how full the blocks of kfree_rcu() were
                                 (rcu_invoke_kfree_bulk_callback), results of rcuscale's kfree test, stalls of RCU
                                 Tasks. --kernel: what a block holds, and how long an object waits there

<what> is a file with a configuration, - for stdin, scenario[:variant], or a link (with its quotes).
Keys are those of a link: k (kernel), hz, cpus, preempt, seed, jiffies, stop, rules.ID, machine (preset),
machine.ENTRY, initial.NAME, kconfig.NAME, aN.KEY (actor N, from 0), sc, w, d, and kernel parameters by full name:
  k=v6.1 hz=1000 stop=done,40ms a0.hold=0..3ms srcutree.srcu_max_nodelay_phase=100 machine.switchNs=900ns..2us
The config that run --json prints is a file that run takes.

  npm run -s rcuscope -- run boot-storm:row-100
  npm run -s rcuscope -- run one-reader:hold-40ms k=v5.19-640a --json
  npm run -s rcuscope -- sweep boot-storm --param srcutree.srcu_max_nodelay_phase=100,200,1000 --jobs 2

Exit status: 0 fine, 1 an invariant was violated, 2 bad input (a line per fault on stderr, nothing on stdout),
3 the program itself failed. A run that reaches a limit says so on stderr and in "stopped", and is fine.
`;
