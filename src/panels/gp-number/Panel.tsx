import './gp-number.css';
import { useId, useState } from 'react';
import { Facts } from '../Facts.tsx';
import { PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { NUMBER_NOTES, numberView } from './model.ts';

/** Until a run says which kernel it is. */
const NEWEST = { 'tree.srOrder': 'before-start' } as const;

/** Reads a grace-period number that somebody pastes from a trace, a stall warning or sysrq-y. */
export function GpNumberPanel({ data, tools }: PanelProps) {
  const [text, setText] = useState('-1199');
  const [cookie, setCookie] = useState('');
  const view = numberView(text, cookie, data.run?.info.rules ?? NEWEST);
  return (
    <PanelFrame title="Grace-period numbers" look="side" notes={NUMBER_NOTES} tools={tools}>
      <div className="gp-number-fields">
        <Field label="gp_seq" value={text} onChange={setText} />
        <Field label="cookie (optional)" value={cookie} onChange={setCookie} />
      </div>
      {view.problem !== undefined && (
        <p className="gp-number-problem" role="alert">
          ✕ {view.problem}
        </p>
      )}
      <Facts facts={view.facts} />
      <p className="gp-number-note">
        The kernel starts at number -300, gp_seq -1200, so that counters that pass 0 are met soon after boot.
      </p>
    </PanelFrame>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ label, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="gp-number-input"
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
