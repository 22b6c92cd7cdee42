import { BOOT_PARAMS, type BootParam } from '../../config/bootParams.ts';
import { describeParam } from '../../config/describeParam.ts';
import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSetup, useView } from '../session.ts';
import { TunableRow } from './Tunable.tsx';
import { useTarget } from './target.ts';

function BootTunable({ param }: { readonly param: BootParam }) {
  const value = useSetup(({ config }) => config.params[param.name]);
  const cpus = useSetup(({ config }) => config.cpus);
  const meaning = useSetup(({ config }) => describeParam(param.name, config)?.meaning);
  const isLocked = useView((view) => view.isLocked);
  const target = useTarget(['params', param.name]);
  if (value === undefined) return null;
  return (
    <TunableRow
      name={param.name}
      help={param.help}
      target={target}
      isDisabled={isLocked}
      meaning={meaning}
      control={
        <TypedNumber<number | string>
          label={param.name}
          shown={String(value)}
          parse={(text) => {
            const read = param.read(text, cpus);
            return read.ok ? { ok: true, value: read.value } : { ok: false, message: read.why };
          }}
          onCommit={target.set}
          isDisabled={isLocked}
        />
      }
    />
  );
}

/** Boot parameters that a command line or a link has set: kept for the boot arguments. */
export function BootTunables() {
  return BOOT_PARAMS.map((param) => <BootTunable key={param.name} param={param} />);
}
