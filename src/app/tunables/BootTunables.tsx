import { BOOT_PARAMS, type BootParam, NO_EFFECT } from '../../config/bootParams.ts';
import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSetup, useView } from '../session.ts';
import { TunableRow } from './Tunable.tsx';
import { useTarget } from './target.ts';

function BootTunable({ param }: { readonly param: BootParam }) {
  const value = useSetup(({ config }) => config.params[param.name]);
  const cpus = useSetup(({ config }) => config.cpus);
  const isLocked = useView((view) => view.isLocked);
  const target = useTarget(['params', param.name]);
  if (value === undefined) return null;
  return (
    <TunableRow
      name={param.name}
      help={param.help}
      target={target}
      isDisabled={isLocked}
      meaning={`${param.help}: ${NO_EFFECT}`}
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

/** Boot parameters that a command line or a link has set: kept for the boot arguments, and without effect here. */
export function BootTunables() {
  return BOOT_PARAMS.map((param) => <BootTunable key={param.name} param={param} />);
}
