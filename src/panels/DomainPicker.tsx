import type { SrcuStateAt } from '../analysis/stateTypes.ts';
import type { PanelProps } from './panelProps.ts';

type Picked = Pick<PanelProps, 'data' | 'actions'>;

/** The domain the mechanism panels show, at the cursor; the first one if the chosen one is not in this run. */
export function domainState(data: PanelProps['data']): SrcuStateAt | undefined {
  const domains = data.state?.domains;
  return domains?.find(({ domain }) => domain === data.domain) ?? domains?.[0];
}

/** The domain's name; with several of them a list to choose from. */
export function DomainPicker({ data, actions }: Picked) {
  const domains = data.run?.info.tracks.filter(({ kind }) => kind === 'srcu') ?? [];
  const shown = domainState(data)?.domain ?? data.domain;
  if (domains.length < 2) return <code>{domains[0]?.name}</code>;
  return (
    <select
      className="panel-select"
      aria-label="SRCU domain"
      value={shown}
      onChange={(event) => actions.selectDomain(Number(event.target.value))}
    >
      {domains.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
