import { Separator } from 'react-resizable-panels';

/** Between two parts of the page: drag it, or focus it and use the arrow keys. */
export function Divider({ label }: { readonly label: string }) {
  return <Separator className="divider" aria-label={label} />;
}
