import type { ReactNode } from 'react';
import { useCardFrame } from './frame.ts';

export interface Figure {
  key: string;
  label: string;
  value: ReactNode;
  /** Change against the period before, usually a Trend. */
  trend?: ReactNode;
  hint?: ReactNode;
  /** A Sparkline; goes away where the page is narrow. */
  spark?: ReactNode;
  /** Opens what the figure is made of. */
  onOpen?: () => void;
}

function Value({ figure }: { figure: Figure }) {
  if (!figure.onOpen) return <span className="figure-value">{figure.value}</span>;
  return (
    <button type="button" className="figure-value drill" onClick={figure.onOpen}>
      {figure.value}
    </button>
  );
}

/** The mark and the tools of a strip that stands in a grid: it has no head for them. */
export function StripTools() {
  const frame = useCardFrame();
  return (
    frame && (
      <span className="figure-strip-tools">
        {frame.mark}
        {frame.tools}
      </span>
    )
  );
}

/** The strip of key figures on a dashboard: 100 px high. `figures` is undefined while they load. */
export function FigureStrip({ figures, count = 6 }: { figures: readonly Figure[] | undefined; count?: number }) {
  if (!figures) {
    return (
      <section className="figure-strip" aria-busy="true">
        {Array.from({ length: count }, (_, index) => `place ${index}`).map((name) => (
          <div className="figure" key={name}>
            <span className="skeleton" />
            <span className="skeleton" />
          </div>
        ))}
        <StripTools />
      </section>
    );
  }
  return (
    <section className="figure-strip">
      {figures.map((figure) => (
        <div className="figure" key={figure.key}>
          <span className="figure-label">{figure.label}</span>
          <Value figure={figure} />
          <span className="figure-foot">
            {figure.trend}
            {figure.hint && <span className="label">{figure.hint}</span>}
          </span>
          {figure.spark && <span className="figure-spark">{figure.spark}</span>}
        </div>
      ))}
      <StripTools />
    </section>
  );
}

/** The flat strip over a report or under a document's steps: label, value, change or hint. */
export function FigureLine({ figures }: { figures: readonly Figure[] | undefined }) {
  return (
    <div className="figure-line" aria-busy={figures === undefined}>
      {figures?.map((figure) => (
        <div className="figure" key={figure.key}>
          <span className="label">{figure.label}</span>
          {figure.trend}
          <Value figure={figure} />
          {figure.hint && <span className="figure-hint label">{figure.hint}</span>}
        </div>
      ))}
    </div>
  );
}
