import { useCall } from '#kit/web/api/index.ts';
import { kpi } from '../../contract.ts';
import { Strip } from '../Strip.tsx';
import type { CardProps } from './props.ts';

/** The strip of key figures, with a call of its own: its filter may be another one than the page's. */
export function Kpi({ filter, sites }: CardProps) {
  const query = useCall(kpi, { body: { filter } }, { keep: true });
  return <Strip query={query} filter={filter} sites={sites} />;
}
