import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../api/errors.ts';
import { useLate } from '../grid/use-late.ts';
import { useTab } from '../tabs/scope.ts';
import { useCardFrame } from './frame.ts';

/** A page of cards on the canvas: 12 columns, 12 px apart. `filters` is the line above that stays in place. */
export function CardsPage({ filters, children }: { filters?: ReactNode; children: ReactNode }) {
  const { title } = useTab();
  return (
    <div className="page-cards">
      <h1 className="visually-hidden">{title}</h1>
      {filters && <div className="page-cards-filters">{filters}</div>}
      <div className="page-cards-body">{children}</div>
    </div>
  );
}

type State = Pick<UseQueryResult, 'isError' | 'error' | 'isPending' | 'isFetching' | 'refetch'>;

interface CardProps {
  title: string;
  /** What the card covers, behind the title. */
  scope?: ReactNode;
  /** Legend, switches and menu at the right of the head. */
  extra?: ReactNode;
  /** Columns of 12. */
  span?: number;
  /** Height in px; cards of one line share it, so that nothing jumps when they load. */
  height?: number;
  /** The calls that feed the card: it loads and fails by itself. */
  query?: State | readonly State[];
  children: ReactNode;
}

function Body({ queries, children }: { queries: readonly State[]; children: ReactNode }) {
  const failed = queries.find((query) => query.isError && !query.isFetching);
  const pending = queries.some((query) => query.isPending);
  const waiting = useLate(pending);
  if (failed) {
    return (
      <div className="card-state" role="alert">
        <span>加载失败：{messageOf(failed.error)}</span>
        <button type="button" className="link" onClick={() => void failed.refetch()}>
          重试
        </button>
      </div>
    );
  }
  if (pending) return waiting ? <div className="card-skeleton" aria-busy="true" /> : null;
  return children;
}

/** One card: head of 40 px, a body that loads alone and fails alone. In a grid it fills its place. */
export function Card({ title, scope, extra, span = 4, height, query = [], children }: CardProps) {
  const frame = useCardFrame();
  const queries = 'isError' in query ? [query] : query;
  return (
    <section className="card" style={frame ? undefined : { gridColumn: `span ${span}`, height }} aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {frame?.mark}
        {scope && <span className="label ellipsis">{scope}</span>}
        <span className="spring" />
        {!frame?.editing && extra}
        {frame?.tools}
      </header>
      <div className="card-body" inert={frame?.editing ?? false}>
        <Body queries={queries}>{children}</Body>
      </div>
    </section>
  );
}
