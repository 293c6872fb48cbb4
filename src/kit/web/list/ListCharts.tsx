import type { ReactNode } from 'react';
import './list-charts.css';

/** Charts between the filters and the rows of a list. */
export function ListCharts({ children }: { children: ReactNode }) {
  return <div className="list-charts">{children}</div>;
}

/** One of them, with its title. */
export function ListChart({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={`list-chart${wide ? ' is-wide' : ''}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
