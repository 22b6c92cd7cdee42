import { describe, expect, it } from 'vitest';
import type { ProfileId } from '../engine/profiles/profiles.ts';
import { parseKernelCommandLine } from './parseKernelCommandLine.ts';

function read(text: string, kernel: ProfileId = 'v6.12') {
  const { input, words, notices } = parseKernelCommandLine(text, { kernel, cpus: 8 });
  return { input, words, messages: notices.map((notice) => notice.message) };
}

describe('kernel command lines', () => {
  it("sets what it names, dash or underscore, in the kernel's number syntax", () => {
    const { input, messages } = read(
      'srcutree.srcu-max-nodelay=0x40 srcutree.exp-holdoff=0 srcutree.big_cpu_lim=010',
    );
    expect(input).toEqual({
      params: { 'srcutree.srcu_max_nodelay': 64, 'srcutree.exp_holdoff': 0, 'srcutree.big_cpu_lim': 8 },
    });
    expect(messages).toEqual([]);
  });

  it('lets the last of several win, and says so', () => {
    const { input, messages } = read('srcutree.exp_holdoff=1 srcutree.exp-holdoff=2');
    expect(input.params).toEqual({ 'srcutree.exp_holdoff': 2 });
    expect(messages).toEqual(['srcutree.exp_holdoff: "1": given again later: the last one wins']);
  });

  it('ends at "--", and keeps spaces inside quotes', () => {
    const { input, messages } = read(
      'dyndbg="file a.c +p" "srcutree.exp_holdoff=5" -- srcutree.exp_holdoff=9 single',
    );
    expect(input.params).toEqual({ 'srcutree.exp_holdoff': 5 });
    expect(messages[0]).toContain('srcutree.exp_holdoff=9 single');
    expect(messages.at(-1)).toBe('command line: "dyndbg=file a.c +p": not RCU parameters');
  });

  it.each([
    ['args_rcu=srcutree.exp_holdoff=5 quiet', 5],
    ['GRUB_CMDLINE_LINUX_DEFAULT="quiet srcutree.exp_holdoff=6"', 6],
    ["export KARGS='srcutree.exp_holdoff=7'", 7],
    ['KERNEL_CMDLINE=srcutree.exp_holdoff=8', 8],
  ])('takes away the text of a shell: %s', (text, holdoff) => {
    const { input, messages } = read(text);
    expect(input.params).toEqual({ 'srcutree.exp_holdoff': holdoff });
    expect(messages.some((message) => message.includes('text of a shell'))).toBe(true);
  });

  it('leaves parameters alone whose value has an equals sign', () => {
    expect(read('root=UUID=12-34 ro').messages).toEqual([
      'command line: "root=UUID=12-34 ro": not RCU parameters',
    ]);
  });

  it.each([
    ['srcutree.srcu_retry_check_delay=5us', /5us": not a number as the kernel reads one: without a unit/],
    ['srcutree.exp_holdoff', /exp_holdoff: missing: .*the value is missing/],
    ['srcutree.exp_holdoff=18446744073709551615', /only numbers up to 2\^53-1/],
    ['srcutree.nonsense=1', /no kernel has it; there are/],
    ['workqueue.power_efficient=1', /workqueue.power_efficient: "1": not simulated yet/],
    ['rcutree.jiffies_to_sched_qs=5', /for reading only: set jiffies_till_sched_qs/],
    ['rcutree.rcu_nocb_gp_stride=0', /a whole number from 1 to/],
    ['rcutree.use_softirq=maybe', /Y or N/],
    ['rcutree.blimit=0x10000000000000000', /larger than the kernel takes/],
    ['rcutree.rcu_divisor=3000000000', /-2147483648 to 2147483647: the kernel reads it as int/],
    ['rcutree.rcu_idle_gp_delay=10', /no longer in kernels since 5.17/],
    ['preempt=lazy', /full, voluntary, none are simulated/],
    ['nr_cpus=5000', /at most 4096 CPUs/],
  ])('ignores %s and says why', (text, why) => {
    const { input, words, messages } = read(text);
    expect(input).toEqual({});
    expect(words).toMatchObject([{ text, fate: 'ignored', isForeign: false }]);
    expect(messages).toEqual([expect.stringMatching(why)]);
  });

  it('names the releases of a parameter that this kernel lacks', () => {
    expect(read('srcutree.srcu_max_nodelay=9', 'v5.19-fix4').messages).toEqual([
      'srcutree.srcu_max_nodelay: "9": kernel v5.19-fix4 does not have it (v5.19-patch-v1 and later)',
    ]);
  });

  it('keeps boot parameters with the CPUs that the kernel would take', () => {
    const line =
      'rcu_nocbs=all nohz_full=0-63 isolcpus=managed_irq,2-3 rcu_nocb_poll=0 skew_tick=1 nr_cpus=16';
    const { input, words, messages } = read(line);
    expect(input.params).toEqual({
      rcu_nocbs: 'all',
      nohz_full: '1-15',
      isolcpus: 'managed_irq,2-3',
      rcu_nocb_poll: 1,
      skew_tick: 1,
    });
    expect(words.every(({ fate }) => fate === 'set')).toBe(true);
    expect(messages).toContain(
      'nohz_full: "0-63": CPUs from 0 to 15 (cpus is 16); the kernel makes it 1-15; ' +
        '15 CPUs of 16 without a tick in user mode, and offloaded (rcu_nocbs) therefore',
    );
    const isPolling = /^rcu_nocb_poll: "0": the kernel does not read its value; 4 rcuog kthreads/;
    expect(messages.some((message) => isPolling.test(message))).toBe(true);
    expect(read('rcu_nocbs rcu_nocb_poll').input.params).toEqual({ rcu_nocbs: '', rcu_nocb_poll: 1 });
  });

  it.each([
    ['nohz_full', /nohz_full: missing: it names no CPU/],
    ['isolcpus=domain', /isolcpus: "domain": .*domain/],
    ['rcu_nocbs=64', /rcu_nocbs: "64": CPUs from 0 to 7/],
    ['skew_tick=yes', /skew_tick: "yes": 0 or 1/],
  ])('ignores %s and says why', (text, why) => {
    expect(read(text)).toMatchObject({ input: {}, messages: [expect.stringMatching(why)] });
  });

  it('sets CPUs and preemption', () => {
    expect(read('nr_cpus=0x10 preempt=none').input).toEqual({
      cpus: 16,
      preempt: 'none',
      kconfig: { PREEMPT_DYNAMIC: true },
    });
  });
});
