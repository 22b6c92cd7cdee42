import type { ConfigInput, ScenarioSource } from './configInput.ts';
import { parseConfig } from './parseConfig.ts';

export const CALL = { kind: 'updater', api: 'synchronize_srcu', calls: 1 };
export const STORM: ConfigInput = {
  kernel: 'v5.19-fix4',
  params: { 'srcutree.srcu_max_nodelay_phase': 200 },
  machine: { preset: 'plain', passNs: '9.1us', requester: 'credit' },
  actors: [
    {
      kind: 'updater',
      api: 'synchronize_srcu_expedited',
      calls: 5,
      gap: '160us',
      gapMode: 'spin',
      start: '4.87s',
    },
  ],
};
export const scenarios: ScenarioSource = {
  names: ['storm'],
  find: (name) => (name === 'storm' || name === 'storm:a' ? STORM : undefined),
  variantsOf: (id) => (id === 'storm' ? ['a'] : undefined),
};

export function configOf(json: unknown) {
  const parsed = parseConfig(json, scenarios);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join('\n'));
  return parsed.config;
}
export function messagesOf(json: unknown): string[] {
  const parsed = parseConfig(json, scenarios);
  return parsed.ok ? [] : parsed.problems.map((problem) => problem.message);
}
