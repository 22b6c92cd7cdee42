import { useState } from 'react';

export interface CpuJumpProps {
  readonly cpus: number;
  readonly onJump: (cpu: number) => void;
}

/** On machines with many CPUs: the number of one, to bring its lane into view. */
export function CpuJump({ cpus, onJump }: CpuJumpProps) {
  const [text, setText] = useState('');
  const cpu = Number(text);
  const isCpu = text.trim() !== '' && Number.isInteger(cpu) && cpu >= 0 && cpu < cpus;
  return (
    <form
      className="tl-jump"
      onSubmit={(event) => {
        event.preventDefault();
        if (isCpu) onJump(cpu);
      }}
    >
      <input
        type="text"
        inputMode="numeric"
        aria-label="Go to CPU"
        aria-invalid={text !== '' && !isCpu}
        placeholder="CPU"
        title={`Go to CPU 0 to ${cpus - 1}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
    </form>
  );
}
