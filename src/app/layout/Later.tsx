import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** What stands beside the picture: drawn right after it and in slices, so that the picture does not wait for it. */
export function Later({ children }: { readonly children: ReactNode }) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => startTransition(() => setIsDue(true)), []);
  return isDue ? children : null;
}
