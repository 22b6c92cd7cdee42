import './headline.css';
import { Fragment } from 'react';
import type { Card } from './model.ts';

/** A kernel name may be broken after an underscore, and nowhere else. */
function breakable(note: string) {
  const words = note.split('_');
  return words.map((word, i) =>
    i === words.length - 1 ? (
      word
    ) : (
      <Fragment key={word}>
        {word}_<wbr />
      </Fragment>
    ),
  );
}

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
          <dd className={card.figures.length > 1 ? 'card-figure pair' : 'card-figure'}>
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
              {breakable(note)}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
