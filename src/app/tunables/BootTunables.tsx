import { BOOT_PARAMS, type BootParam } from '../../config/bootParams.ts';
import { describeParam } from '../../config/describeParam.ts';
import { type Typed, TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSetup, useView } from '../session.ts';
import { OFFLOAD_LISTS } from './paramGroups.ts';
import { TunableRow } from './Tunable.tsx';
import { useTarget } from './target.ts';

/** What was typed; nothing, or "none": as the scenario has it. */
function readTyped(param: BootParam, text: string, cpus: number): Typed<number | string | undefined> {
  if (text === '' || text === 'none') return { ok: true, value: undefined };
  const read = param.read(text, cpus);
  return read.ok ? { ok: true, value: read.value } : { ok: false, message: read.why };
}

function BootTunable({ param }: { readonly param: BootParam }) {
  const { name, help } = param;
  const value = useSetup(({ config }) => config.params[name]);
  const cpus = useSetup(({ config }) => config.cpus);
  const meaning = useSetup(({ config }) => describeParam(name, config)?.meaning);
  const isLocked = useView((view) => view.isLocked);
  const target = useTarget(['params', name]);
  return (
    <TunableRow
      name={name}
      help={help}
      target={target}
      isDisabled={isLocked}
      meaning={value === undefined ? help : meaning}
      control={
        <TypedNumber<number | string | undefined>
          label={name}
          shown={value === undefined ? 'none' : String(value)}
          parse={(text) => readTyped(param, text, cpus)}
          onCommit={target.set}
          isDisabled={isLocked}
        />
      }
    />
  );
}

const isList = ({ name }: BootParam) => OFFLOAD_LISTS.some((known) => known === name);

/** CPU lists of offloading. */
export function OffloadTunables() {
  return BOOT_PARAMS.filter(isList).map((param) => <BootTunable key={param.name} param={param} />);
}

/** Boot parameters that a command line or a link has set; those of offloading only where they stand nowhere else. */
export function BootTunables({ hasOffloading }: { readonly hasOffloading: boolean }) {
  const params = useSetup(({ config }) => config.params);
  const shown = BOOT_PARAMS.filter(
    (param) => params[param.name] !== undefined && !(hasOffloading && isList(param)),
  );
  return shown.map((param) => <BootTunable key={param.name} param={param} />);
}
