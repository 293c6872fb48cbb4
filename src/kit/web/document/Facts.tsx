import type { ReactNode } from 'react';

export interface Fact {
  label: string;
  value: ReactNode;
  strong?: boolean;
}

/** A titled column of labels and values; `money` puts the values at the right edge. */
export function Facts({ title, facts, money = false }: { title: string; facts: readonly Fact[]; money?: boolean }) {
  return (
    <section className={`facts${money ? ' is-money' : ''}`}>
      <h2>{title}</h2>
      <dl>
        {facts.map((fact) => (
          <div key={fact.label} className={fact.strong ? 'strong' : undefined}>
            <dt>{fact.label}</dt>
            <dd>{fact.value ?? '—'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Facts beside one another, as many as fit. */
export function FactColumns({ children }: { children: ReactNode }) {
  return <div className="fact-columns">{children}</div>;
}
