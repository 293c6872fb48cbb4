import type { ReactNode } from 'react';
import './facts.css';

/** Charts between the filters and the rows of a list. */
export function FactCharts({ children }: { children: ReactNode }) {
  return <div className="fact-charts">{children}</div>;
}

/** One of them, with its title. */
export function FactChart({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={`fact-chart${wide ? ' is-wide' : ''}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
