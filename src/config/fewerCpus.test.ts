import { describe, expect, it } from 'vitest';
import type { ConfigInput, ScenarioSource } from './configInput.ts';
import { decodeLink } from './link/decodeLink.ts';
import { encodeLink } from './link/encodeLink.ts';
import { parseConfig } from './parseConfig.ts';

const PHONE: ConfigInput = {
  cpus: 8,
  params: { rcu_nocbs: '0-7', nohz_full: '6-7' },
  initial: { gpKthreadCpu: 6, timekeeperCpu: 1 },
  actors: [{ kind: 'updater', cpu: 2, count: 2, api: 'synchronize_rcu', calls: 1 }],
};
const scenarios: ScenarioSource = {
  names: ['phone'],
  find: (name) => (name === 'phone' ? PHONE : undefined),
  variantsOf: () => undefined,
};

function parse(over: ConfigInput) {
  const parsed = parseConfig({ scenario: 'phone', ...over }, scenarios);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return { ...parsed, messages: parsed.notices.map(({ message }) => message) };
}

describe('a scenario on fewer CPUs than its own', () => {
  it('has its lists cut, its CPUs wrapped, and says so', () => {
    const { config, messages } = parse({ cpus: 3 });
    expect(config.params.rcu_nocbs).toBe('0-2');
    expect(config.params).not.toHaveProperty('nohz_full');
    expect(config.initial).toMatchObject({ gpKthreadCpu: 0, timekeeperCpu: 1 });
    expect(messages).toEqual([
      'params.rcu_nocbs: "0-7": CPUs from 0 to 2 (cpus is 3); the kernel makes it 0-2',
      'params.nohz_full: "6-7": left out: CPUs from 0 to 2 (cpus is 3)',
      'initial.gpKthreadCpu: 6: CPUs from 0 to 2 (cpus is 3); here it is 6 mod 3 = 0',
      'cpus: 3: fewer than the 8 of the scenario: what actors have on CPU n is on CPU n mod 3',
    ]);
  });

  it('says nothing of what is not cut', () => {
    expect(parse({}).messages).toEqual([]);
    expect(parse({ cpus: 8 }).messages).toEqual([]);
    expect(parse({ cpus: 64 }).messages).toEqual([]);
    expect(parse({ cpus: 7, params: { nohz_full: '6' } }).messages).toEqual([
      'params.rcu_nocbs: "0-7": CPUs from 0 to 6 (cpus is 7); the kernel makes it 0-6',
    ]);
    // no scenario: nothing but the default has more CPUs
    const own = parseConfig({ cpus: 1, actors: PHONE.actors, stop: { afterNs: 1 } }, scenarios);
    expect(own).toMatchObject({ ok: true, notices: [] });
  });

  it('keeps the message for what somebody typed', () => {
    const typed: ConfigInput = { cpus: 3, params: { rcu_nocbs: '0-7' }, initial: { gpKthreadCpu: 6 } };
    const parsed = parseConfig({ scenario: 'phone', ...typed }, scenarios);
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
      'params.rcu_nocbs: "0-7": CPUs from 0 to 2 (cpus is 3); the kernel makes it 0-2',
      'initial.gpKthreadCpu: 6: a CPU from 0 to 2 (cpus is 3)',
    ]);
  });

  it('is a link that keeps its cpus; one with a list of its own has that cut, with a notice', () => {
    const link = decodeLink('sc=phone&cpus=4', scenarios, 'phone');
    expect(link).toMatchObject({ input: { scenario: 'phone', cpus: 4 }, notices: [] });
    const encoded = encodeLink(link.input, {}, scenarios);
    expect(encoded).toMatchObject({ ok: true, hash: 'v=1&sc=phone&cpus=4' });
    const own = decodeLink('sc=phone&cpus=4&rcu_nocbs=1-5', scenarios, 'phone');
    expect(own.input).toMatchObject({ cpus: 4, params: { rcu_nocbs: '1-3' } });
    expect(own.notices.map(({ message }) => message)).toEqual([
      'rcu_nocbs: "1-5": CPUs from 0 to 3 (cpus is 4); the kernel makes it 1-3',
    ]);
  });

  it('is read again as the same configuration', () => {
    const { config } = parse({ cpus: 3 });
    expect(parse(JSON.parse(JSON.stringify(config))).config).toEqual(config);
  });
});

it('more stuck CPUs than a flood has threads on are a notice', () => {
  const notices = (stuck: number, cpus: number, count: number) => {
    const parsed = parseConfig({
      cpus,
      machine: { kfreeStuckCpus: stuck },
      actors: [{ kind: 'kfree', loops: 1, allocs: 1, count }],
    });
    return parsed.ok ? parsed.notices.map(({ message }) => message) : ['not valid'];
  };
  expect(notices(2, 4, 2)).toEqual([]);
  expect(notices(3, 4, 2)).toEqual(['machine.kfreeStuckCpus: 3: as 2: no flood has threads on more CPUs']);
  expect(notices(3, 2, 8)).toEqual(['machine.kfreeStuckCpus: 3: as 2: no flood has threads on more CPUs']);
  const calls = { actors: [{ kind: 'updater', api: 'synchronize_rcu', calls: 1 }] };
  const parsed = parseConfig({ machine: { kfreeStuckCpus: 1 }, ...calls });
  expect(parsed).toMatchObject({
    notices: [{ message: 'machine.kfreeStuckCpus: 1: no effect: no actor calls kfree_rcu()' }],
  });
});
