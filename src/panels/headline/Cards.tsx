import './headline.css';
import type { Card } from './model.ts';

/** The headline figures as a list of cards: label, figure, what it means. */
export function Cards({ cards }: { readonly cards: readonly Card[] }) {
  return (
    <dl className="cards">
      {cards.map((card) => (
        <div className="card" key={card.id}>
          <dt className="card-label">
            {card.tone === undefined ? null : (
              <span className={`swatch tone-${card.tone}`} aria-hidden="true" />
            )}
            {card.label}
          </dt>
          <dd className="card-figure">
            {card.figures.map(({ value, unit }, i) => (
              <span key={`${value} ${unit}`}>
                {i === 0 ? '' : ' / '}
                <span className="card-quantity">
                  {value} {unit === '' ? null : <span className="card-unit">{unit}</span>}
                </span>
              </span>
            ))}
          </dd>
          {card.notes.map((note) => (
            <dd className="card-note" key={note}>
              {note}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
