/** Kernel command lines that people published (test-data/cases), and what is to be said of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseKernelCommandLine } from './parseKernelCommandLine.ts';

type Booted = Omit<Parameters<typeof parseKernelCommandLine>[1], 'kernel'>;

function read(name: string, booted: Booted) {
  const text = readFileSync(`test-data/cases/${name}.txt`, 'utf8');
  const { input, words, notices } = parseKernelCommandLine(text, { kernel: 'v6.12', ...booted });
  const word = (start: string) => words.find((known) => known.text.startsWith(start));
  return { params: input.params, word, messages: notices.map(({ message }) => message) };
}

describe('c01: everything about RCU at once, as text of a shell', () => {
  const { params, word, messages } = read('c01', { cpus: 8 });

  it('says that the prefix is text of a shell, and reads what stands behind it', () => {
    expect(messages[0]).toMatch(/^command line: "cmdline_rcu=": text of a shell/);
    expect(params?.rcu_nocbs).toBe('all');
    expect(word('rcu_nocbs')?.why).toMatch(/^8 CPUs offloaded: 0-7;/);
  });

  it('takes 0 for the first wait, and says that the kernel raises 0 for the next one to 1', () => {
    expect(params).toMatchObject({
      'rcutree.jiffies_till_first_fqs': 0,
      'rcutree.jiffies_till_next_fqs': 1,
      'rcutree.jiffies_till_sched_qs': 33,
    });
    expect(word('rcutree.jiffies_till_first_fqs')?.why).toBeUndefined();
    expect(word('rcutree.jiffies_till_next_fqs')?.why).toMatch(
      /from 1 to 250 \(jiffies\); the kernel makes it 1/,
    );
    const cut = parseKernelCommandLine('rcutree.jiffies_till_first_fqs=5000', {
      kernel: 'v6.12',
      cpus: 8,
      hz: 300,
    });
    expect(cut.input.params).toEqual({ 'rcutree.jiffies_till_first_fqs': 300 });
  });

  it('says that two of them are gone with RCU_FAST_NO_HZ', () => {
    for (const name of ['rcutree.rcu_idle_gp_delay', 'rcutree.rcu_idle_lazy_gp_delay']) {
      expect(word(name)).toMatchObject({ fate: 'ignored', why: expect.stringMatching(/no longer .* 5\.17/) });
    }
  });

  it('says that expediting lasts until somebody clears it, and what else changes no run', () => {
    expect(params).toMatchObject({ 'rcupdate.rcu_expedited': 1, 'rcutree.kthread_prio': 50 });
    expect(word('rcupdate.rcu_expedited')?.why).toMatch(/is expedited until it is cleared/);
    expect(word('rcutree.kthread_prio')).toMatchObject({
      fate: 'set',
      why: expect.stringMatching(/^no effect: /),
    });
    // nothing is left for softirq where all CPUs are offloaded
    expect(word('rcutree.blimit')?.why).toMatch(/^no effect: the callbacks of all CPUs are offloaded/);
  });
});

describe('c03: an isolated CPU, and expedited grace periods for ever', () => {
  it('interrupts the isolated CPU on a kernel without PREEMPT_RT', () => {
    expect(read('c03', { cpus: 4 }).word('rcupdate')?.why).toMatch(/CPU 3 too, which should be left alone/);
  });

  it('has no lasting effect on PREEMPT_RT', () => {
    const { params, word } = read('c03', { cpus: 4, kconfig: { PREEMPT_RT: true } });
    expect(params).toMatchObject({ 'rcupdate.rcu_expedited': 1, rcu_nocbs: '3' });
    expect(word('rcupdate.rcu_expedited')?.why).toMatch(
      /^no effect after boot: rcu_normal_after_boot is 1, as it is by default on PREEMPT_RT, and rcu_normal wins/,
    );
    // unless somebody says otherwise
    const line = 'rcupdate.rcu_expedited=1 rcupdate.rcu_normal_after_boot=0';
    const { words } = parseKernelCommandLine(line, {
      kernel: 'v6.12',
      cpus: 4,
      kconfig: { PREEMPT_RT: true },
    });
    expect(words[0]?.why).toMatch(/until it is cleared/);
  });

  it('leaves what stands after "--" to init', () => {
    const { params, messages } = read('c03', { cpus: 4 });
    expect(params).not.toHaveProperty(['rcutree.blimit']);
    expect(messages[0]).toMatch(/"single rcutree\.blimit=99": after "--": goes to init/);
  });
});

describe('c04: lazy callbacks without offloaded CPUs, and a unit', () => {
  it('says what laziness needs, as long as something is missing', () => {
    const lazy = (booted: Booted, more = '') => {
      const line = `${readFileSync('test-data/cases/c04.txt', 'utf8').trim()} ${more}`;
      const { words } = parseKernelCommandLine(line, { kernel: 'v6.12', ...booted });
      return words.find(({ name }) => name === 'rcutree.enable_rcu_lazy');
    };
    const OPTION = 'CONFIG_RCU_LAZY (kconfig.RCU_LAZY)';
    const CPUS = 'offloaded CPUs (rcu_nocbs, nohz_full or kconfig.RCU_NOCB_CPU_DEFAULT_ALL)';
    expect(lazy({ cpus: 4 })?.why).toBe(`no effect: it needs ${OPTION} and ${CPUS}`);
    const kconfig = { RCU_LAZY: true };
    expect(lazy({ cpus: 4, kconfig })?.why).toBe(`no effect: it needs ${CPUS}`);
    expect(lazy({ cpus: 4 }, 'rcu_nocbs=all')?.why).toBe(`no effect: it needs ${OPTION}`);
    expect(lazy({ cpus: 4, kconfig }, 'rcu_nocbs=1')?.why).toBeUndefined();
    expect(lazy({ cpus: 4, kconfig }, 'nohz_full=1')?.why).toBeUndefined();
    expect(lazy({ cpus: 4, kconfig: { ...kconfig, RCU_NOCB_CPU_DEFAULT_ALL: true } })?.why).toBeUndefined();
  });

  it('reads a dash as an underscore, and no unit', () => {
    const { params, word } = read('c04', { cpus: 4 });
    expect(params).toMatchObject({ 'srcutree.exp_holdoff': 0, 'srcutree.srcu_max_nodelay_phase': 100 });
    expect(word('srcutree.exp-holdoff')?.comesTo).toMatch(/never expedited by itself/);
    expect(word('srcutree.srcu_max_nodelay_phase')?.comesTo).toMatch(/\(default 1000\)$/);
    expect(word('srcutree.srcu_retry_check_delay')).toMatchObject({
      fate: 'ignored',
      why: expect.stringMatching(/not a number .*: without a unit/),
    });
  });
});

describe('c05: lists with a stride, and nohz_full beside rcu_nocbs', () => {
  const { params, word } = read('c05', { cpus: 64 });

  it('adds the CPUs of nohz_full to the offloaded ones', () => {
    expect(params).toMatchObject({ rcu_nocbs: '2-31:1/2,34-63', nohz_full: '2-31,34-63' });
    expect(word('rcu_nocbs')?.why).toMatch(
      /^45 here, with those of nohz_full 60 CPUs offloaded: 2-31,34-63;/,
    );
    const alone = parseKernelCommandLine('rcu_nocbs=2-31:1/2', { kernel: 'v6.12', cpus: 64 });
    expect(alone.words[0]?.why).toMatch(/^15 CPUs offloaded: 2,4,6,8,/);
  });

  it('has groups by CPU number, each with a kthread that polls', () => {
    expect(word('rcutree.rcu_nocb_gp_stride')?.why).toMatch(
      /^16 rcuog kthreads, one for every 4 CPUs by number/,
    );
    expect(word('rcu_nocb_poll')?.why).toMatch(/^16 rcuog kthreads.* each looks every jiffy/);
    const few = parseKernelCommandLine('rcu_nocbs=0,63 rcutree.rcu-nocb-gp-stride=4', {
      kernel: 'v6.12',
      cpus: 64,
    });
    expect(few.words[1]?.why).toMatch(/^2 rcuog kthreads/);
  });
});
