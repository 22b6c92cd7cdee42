import { Fragment, type ReactNode } from 'react';

/** A kernel name that may be broken behind its dots and underscores, and nowhere else. */
export function breakable(name: string): ReactNode {
  return name.split(/(?<=[._])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never change their order
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
