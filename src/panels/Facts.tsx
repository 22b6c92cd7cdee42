import './facts.css';

/** Names in the kernel's words and what they hold. */
export function Facts({
  facts,
}: {
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}) {
  return (
    <dl className="facts">
      {facts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
