/** "Which flavour am I waiting for?": of a call, who serves it, what touches it, what does not. */

import type { SeriesSummary } from '../../analysis/types.ts';
import {
  expediteMode,
  hasParam,
  type Kernel,
  type Mechanism,
  notesOn,
  touchInside,
  WAIT_APIS,
  type WaitFlavour,
  waitFlavour,
} from '../../analysis/waitFlavours.ts';
import { formatCount, formatDuration } from '../format.ts';

/** Calls under the mechanism that serves them. */
export interface CallGroup {
  readonly title: Mechanism;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

export interface FlavourView {
  readonly mechanism: string;
  /** What rcu_expedited makes of it, in a sentence. */
  readonly expedited: string;
  /** What the parameters of this run make of it. */
  readonly here: string;
  readonly touchedBy: readonly string[];
  /** Touch the grace periods of RCU or SRCU inside it, not its scans, sleeps and holdouts. */
  readonly innerOnly: readonly string[];
  /** Parameters that people try, and that change nothing. */
  readonly untouched: readonly string[];
  /** Would be of the first two, but this kernel does not have them. */
  readonly absent: readonly string[];
  readonly note: string;
  /** What this run measured of it; empty if it does not make the call. */
  readonly measured: string;
}

/** The kernel, and its parameters. */
export interface FlavourSetting extends Kernel {
  readonly params: Readonly<Record<string, number | string>>;
}

const EXPEDITED_PARAM = 'rcupdate.rcu_expedited';

/** All calls by mechanism, in the order of the table. */
export function callGroups(): readonly CallGroup[] {
  const groups = new Map<Mechanism, { id: string; label: string }[]>();
  for (const api of WAIT_APIS) {
    const mechanism = waitFlavour(api)?.mechanism;
    if (mechanism === undefined) continue;
    const options = groups.get(mechanism) ?? [];
    options.push({ id: api, label: `${api}()` });
    groups.set(mechanism, options);
  }
  return [...groups].map(([title, options]) => ({ title, options }));
}

const EXPEDITED: Readonly<Record<WaitFlavour['ifExpedited'], string>> = {
  expedited: `${EXPEDITED_PARAM}=1 makes it an expedited grace period.`,
  already: `It is expedited anyhow; ${EXPEDITED_PARAM}=1 changes nothing.`,
  unchanged: `${EXPEDITED_PARAM}=1 does not help: nothing of it is a synchronous call of RCU or SRCU.`,
  'inner only': `${EXPEDITED_PARAM}=1 does not help: it speeds up the synchronize_rcu() inside, but not scans, sleeps and holdouts.`,
};

/** Every parameter that touches some call. */
function allParams(): readonly string[] {
  const names = WAIT_APIS.flatMap((api) => waitFlavour(api)?.touchedBy ?? []);
  return [...new Set(names)];
}

/** With a capital, unless it begins with the name of a function, and a full stop. */
function sentence(words: string): string {
  const first = /^\w+\(/.test(words) ? words.charAt(0) : words.charAt(0).toUpperCase();
  return words === '' ? '' : `${first}${words.slice(1)}.`;
}

/** What the view says of `api` with this kernel and its parameters; undefined: no such call is known. */
export function flavourView(
  api: string,
  setting: FlavourSetting,
  series: readonly SeriesSummary[],
): FlavourView | undefined {
  const flavour = waitFlavour(api);
  if (flavour === undefined) return undefined;
  const { mechanism, ifExpedited } = flavour;
  const isHere = (name: string) => hasParam(setting, name);
  const inside = touchInside(flavour, setting).filter((name) => !flavour.touchedBy.includes(name));
  const innerOnly = ifExpedited === 'inner only' ? [EXPEDITED_PARAM, ...inside] : [];
  const touches = [...flavour.touchedBy, ...innerOnly];
  const mode = expediteMode(setting.params);
  const stats = series.find(({ name }) => name === api)?.stats;
  const canBe = ifExpedited === 'expedited' || ifExpedited === 'already';
  return {
    mechanism,
    expedited: EXPEDITED[ifExpedited],
    here:
      mode === 'as called'
        ? 'In this run neither rcu_expedited nor rcu_normal is set.'
        : canBe
          ? `In this run it is ${mode}, whatever its name.`
          : ifExpedited === 'inner only'
            ? `In this run the synchronize_rcu() inside is ${mode}.`
            : `In this run synchronous calls of RCU are ${mode}; this one is as it was.`,
    touchedBy: flavour.touchedBy.filter(isHere),
    innerOnly: innerOnly.filter(isHere),
    untouched: [
      ...(ifExpedited === 'already' || ifExpedited === 'unchanged' ? [EXPEDITED_PARAM] : []),
      ...allParams().filter((name) => isHere(name) && !touches.includes(name)),
    ],
    absent: touches.filter((name) => !isHere(name)),
    note: notesOn(flavour, setting).map(sentence).join(' '),
    measured:
      stats === undefined
        ? ''
        : `In this run: ${formatCount(stats.n)} of them, p50 ${formatDuration(stats.p50)}, p99 ${formatDuration(stats.p99)}.`,
  };
}
