import { sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Transport } from '../../contract/fields.ts';
import type { Arrival, TransitFilter } from '../../contract/transit.ts';
import { type AwayRow, matching } from './query.ts';
import { awayValues } from './value.ts';

/** What is on its way under a filter: all of it, what is late, at the door, unknown, and by the day it is expected on. */
export async function boardOf(ctx: Ctx, filter: TransitFilter) {
  const rows: AwayRow[] = await matching(ctx, filter).selectAll().execute();
  const values = await awayValues(
    ctx,
    rows.map((row) => row.id),
  );
  const worthOf = (some: readonly AwayRow[]) => sum(some.map((row) => values.get(row.id) ?? '0'));
  const piecesOf = (some: readonly AwayRow[]) => some.reduce((total, row) => total + row.qty, 0);
  const heap = (some: readonly AwayRow[]) => ({ orders: some.length, pieces: piecesOf(some), value: worthOf(some) });
  const expected = rows.filter((row) => row.expected_on !== null);
  const groups = Map.groupBy(expected, (row) => `${row.expected_on} ${row.transport} ${row.days_late !== null}`);
  const arrivals = [...groups.values()].flatMap((some): Arrival[] => {
    const [first] = some;
    if (!first?.expected_on) return [];
    const late = first.days_late !== null;
    return [
      {
        day: first.expected_on,
        transport: first.transport as Transport,
        late,
        pieces: piecesOf(some),
        value: worthOf(some),
      },
    ];
  });
  return {
    all: heap(rows),
    late: heap(rows.filter((row) => row.days_late !== null)),
    door: heap(rows.filter((row) => row.stage === 'DOOR')),
    unknown: heap(rows.filter((row) => row.stage === 'WAY' && row.expected_on === null)),
    arrivals: arrivals.sort((a, b) => a.day.localeCompare(b.day) || a.transport.localeCompare(b.transport)),
  };
}
