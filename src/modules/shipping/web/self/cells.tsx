import type { SelfRow } from '../../contract/self/rows.ts';

/** Why a document does not go on; red while it stands still. */
export function Problem({ state, problem }: Pick<SelfRow, 'state' | 'problem'>) {
  const still = state === 'trouble' || state === 'short';
  return <span className={`ellipsis ${still ? 'danger' : 'text2'}`}>{problem || '—'}</span>;
}

/** Hours until the deadline of an order; red once it is over, or nearly. */
export function HoursLeft({ hours }: { hours: string | null }) {
  if (hours === null) return <span className="text3">—</span>;
  const left = Number(hours);
  return <span className={`num ${left < 4 ? 'danger' : left < 24 ? 'warning' : ''}`}>{hours}</span>;
}
