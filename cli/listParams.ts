/** `rcuscope params`: kernel parameters, their defaults, and what they read after boot. */

import { BOOT_PARAMS } from '../src/config/bootParams.ts';
import { DEFAULTS } from '../src/config/completeConfig.ts';
import { type Field, integerField } from '../src/config/fields.ts';
import { MAX_CPUS } from '../src/config/machineFields.ts';
import {
  defaultParam,
  defaultParams,
  findInertParam,
  paramsOf,
  rangeOf,
  rangeText,
  releasesOf,
  SCHED_QS_SHOWN,
  shownSchedQs,
} from '../src/config/paramSet.ts';
import { paramText } from '../src/config/paramValue.ts';
import { HZ } from '../src/config/schema.ts';
import { type Build, buildOf, kernelHasParam, type ParamInfo } from '../src/engine/profiles/kernelParams.ts';
import { DEFAULT_PROFILE, findProfile, PROFILES, standInNote } from '../src/engine/profiles/profiles.ts';
import { effectiveConvertToBig } from '../src/engine/srcu/params.ts';
import { Fault } from './fault.ts';
import type { Io } from './io.ts';
import { print } from './print.ts';
import { formatTable } from './table.ts';

/** Options of `params`, as text. */
export interface ParamsOptions {
  readonly json: boolean;
  readonly kernel: string | undefined;
  readonly hz: string | undefined;
  readonly cpus: string | undefined;
}

function readNumber(text: string | undefined, absent: number, field: Field<number>): number | undefined {
  if (text === undefined) return absent;
  return /^\d+$/.test(text) ? field.read(Number(text)) : undefined;
}

const CPUS = integerField(1, MAX_CPUS);

/** The options as values. Throws a Fault that lists every bad one. */
export function readKernelOptions({
  kernel: id = DEFAULT_PROFILE,
  hz: hzText,
  cpus: cpusText,
}: Omit<ParamsOptions, 'json'>) {
  const kernel = findProfile(id);
  const hz = readNumber(hzText, DEFAULTS.hz, HZ);
  const cpus = readNumber(cpusText, DEFAULTS.cpus, CPUS);
  if (kernel !== undefined && hz !== undefined && cpus !== undefined) return { kernel, hz, cpus };
  const faults: string[] = [];
  if (kernel === undefined)
    faults.push(`--kernel: ${id}: ${PROFILES.map((profile) => profile.id).join(', ')}`);
  if (hz === undefined) faults.push(`--hz: ${hzText}: ${HZ.allowed}`);
  if (cpus === undefined) faults.push(`--cpus: ${cpusText}: ${CPUS.allowed}`);
  throw new Fault(faults);
}

/** A parameter as it is set where nothing is given, and as it reads after boot. */
function paramRow(param: ParamInfo, build: Build) {
  const value =
    param === SCHED_QS_SHOWN
      ? shownSchedQs(defaultParams(build), build)
      : (defaultParam(param.name, build) ?? '');
  const isBig = param.name === 'srcutree.convert_to_big';
  const limit = Number(defaultParam('srcutree.big_cpu_lim', build));
  const { name, unit, help } = param;
  const inert = findInertParam(name);
  // as set it is -1 there: boot chooses
  const isAuto =
    name === 'rcupdate.rcu_task_enqueue_lim' ||
    (name === 'rcutree.rcu_normal_wake_from_gp' && build.rules['tree.wakeDefault'] === 'by-cpus');
  return {
    name,
    default: isAuto ? -1 : paramText(param, value),
    effective: isBig ? effectiveConvertToBig(Number(value), limit, build.cpus) : paramText(param, value),
    unit,
    range: rangeOf(param, build.hz),
    releases: releasesOf(param),
    help: inert === undefined ? help : `${help} (no effect: ${inert.why})`,
  };
}

/** Parameters of a kernel: as set, and as they read after boot (spec srcu 1.5 a, 3.3, tree 1.5). Throws a Fault. */
export function listParams(options: ParamsOptions, io: Io): number {
  const { kernel, hz, cpus } = readKernelOptions(options);
  const build = buildOf({ kernel: kernel.id, rules: {}, hz, cpus, kconfig: {} });
  const shown = kernelHasParam(build.kernel, SCHED_QS_SHOWN) ? [SCHED_QS_SHOWN] : [];
  const params = [...paramsOf(build), ...shown].map((param) => paramRow(param, build));
  const bootParameters = BOOT_PARAMS.map(({ name, allowed, help }) => ({ name, values: allowed, help }));
  return print(io, options.json, { kernel: kernel.id, hz, cpus, params, bootParameters }, () => {
    const head = ['name', 'default', 'after boot', 'unit', 'range', 'releases', 'help'];
    const rows = params.map((param) => [
      param.name,
      String(param.default),
      String(param.effective),
      param.unit,
      rangeText(param.range),
      param.releases,
      param.help,
    ]);
    const bootRows = bootParameters.map(({ name, values, help }) => [name, help, values]);
    const table = formatTable([head, ...rows], [1, 2]);
    const standIn = standInNote(kernel);
    return `${kernel.id}${standIn === undefined ? '' : ` (${standIn})`}, HZ=${hz}, ${cpus} CPUs\n${table}\nwithout a prefix\n${formatTable(bootRows)}`;
  });
}
