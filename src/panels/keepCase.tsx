import type { ReactNode } from 'react';

/** Quantities with their unit, and kernel names: "5.87 ms", "srcu:kvm", "call_srcu", "srcu_max_nodelay=1000". */
const CASE_MATTERS = /(\d[\d.\s]*(?:ns|µs|ms|s)\b|\bsrcu(?::[\w.-]+)?\b|\b\w+_[\w.=]+)/u;

/** A heading that is set in capitals, without its units and kernel names: MS is not ms. */
export function keepCase(title: string): ReactNode {
  return title.split(CASE_MATTERS).map((part, i) =>
    // split() puts what the group matched at odd places.
    i % 2 === 0 ? (
      part
    ) : (
      <span className="as-is" key={part}>
        {part}
      </span>
    ),
  );
}
