import { useScenario } from '../useScenarios.ts';

/** What to look at in this scenario: one line, and the rest on request. */
export function ScenarioStrip() {
  const chosen = useScenario();
  if (chosen === undefined) return null;
  const { scenario, variant } = chosen;
  const [first, ...rest] = [...scenario.lookAt, ...(variant.note === undefined ? [] : [variant.note])];
  return (
    <details className="scenario-strip">
      <summary>
        <span className="scenario-strip-label">Look at</span>
        <span className="scenario-strip-first">{first}</span>
      </summary>
      {rest.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </details>
  );
}
