import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { eventBook } from '../../ledger/event-book.ts';
import { reverse } from '../../ledger/post.ts';
import { type PlacedLine, type ReserveLine, reserveAt } from '../../ledger/reserve.ts';
import type { Source } from '../../ledger/types.ts';
import { valuesOf } from '../../ledger/values.ts';
import type { StockDocument } from './load.ts';
import { settingOf } from './setting.ts';

const DAY_MS = 86_400_000;

/** What moved stock for a document, or was scanned or counted for it. */
const book = eventBook<Pick<StockDocument, 'id' | 'kind'>>({
  table: 'warehouse.document_event',
  key: 'document_id',
  type: ({ kind }) => `warehouse.${kind}`,
});
export const { seenBefore, postEvent, noteEvent, holdings, letGo } = book;

/** Until when a document may hold what it holds from now on; undefined: until it is over. */
async function holdEnd(ctx: Ctx): Promise<string | undefined> {
  const { holdDays } = await settingOf(ctx);
  return holdDays > 0 ? new Date(ctx.runtime.clock.ms() + holdDays * DAY_MS).toISOString() : undefined;
}

/** Holds pieces for the lines of a document, for as long as the company lets documents hold them. */
export async function hold(ctx: Ctx, doc: StockDocument, lines: readonly ReserveLine[]): Promise<void> {
  await book.hold(ctx, doc, lines, { shelfLife: 0, until: await holdEnd(ctx) });
}

/** Gives back some pieces of one reservation of a document, for another document to hold. */
export function passOn(
  ctx: Ctx,
  doc: StockDocument,
  of: { reservation: string; product: string; warehouse: string; location: string; lot: string; qty: number },
  reason: string,
): Promise<void> {
  const { reservation, product, warehouse, location, lot, qty } = of;
  const [from, to] = [
    { warehouse, location, lot, status: 'RESERVED' } as const,
    { warehouse, location, lot, status: 'AVAILABLE' } as const,
  ];
  return postEvent(ctx, doc, 'passOn', [{ product, qty, reservation, from, to }], {
    note: reason,
    lines: [{ product, qty }],
  }).then(() => {});
}

/** Holds pieces just where they lie, as long as the company lets documents hold them. */
export function holdAt(ctx: Ctx, doc: StockDocument, lines: readonly PlacedLine[], reason: string): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await book.next(ctx, doc, 'takeOver');
    const { id } = await reserveAt(ctx, { source, lines, until: await holdEnd(ctx), note: reason });
    await book.write(ctx, source, id, { lines });
  });
}

/** Events that end by giving back what is held, whatever came between. */
const HOLDS = ['reserve', 'release', 'short', 'passOn', 'takeOver'];

/** Takes all postings of a document back, the newest first, and gives back what it holds then. */
export function takeBack(ctx: Ctx, doc: StockDocument, reason: string | undefined): Promise<void> {
  return unscoped(ctx, async () => {
    const { rows } = await sql<{ posting: string; event: string }>`
      SELECT posting_id AS posting, event FROM warehouse.document_event
       WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} AND posting_id IS NOT NULL ORDER BY seq DESC`.execute(
      ctx.db,
    );
    for (const { posting, event } of rows) if (!HOLDS.includes(event)) await reverse(ctx, posting, reason);
    await letGo(ctx, doc);
  });
}

/** Adds what a posting moved in value to the amounts of the lines; `lineOf[i]` is the line of move i. */
export async function addAmounts(
  ctx: Ctx,
  posting: string,
  lineOf: readonly (string | undefined)[],
  side: 'in' | 'out',
  sign: 1 | -1 = 1,
): Promise<void> {
  const values = await unscoped(ctx, () => valuesOf(ctx, posting));
  const list = values.flatMap((value) => {
    const line = lineOf[value.move];
    return line === undefined || value[side] === null ? [] : [{ line, amount: value[side] }];
  });
  if (list.length === 0) return;
  await sql`
    UPDATE warehouse.document_line AS l SET amount = coalesce(l.amount, 0) + ${sign}::int * v.amount
      FROM (SELECT line, sum(amount) AS amount FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
              AS r(line uuid, amount numeric) GROUP BY 1) AS v
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.line`.execute(ctx.db);
}

/** Writes down an event of the ledger that moves value and no piece. */
export async function noteValue(
  ctx: Ctx,
  doc: StockDocument,
  run: (source: Source) => Promise<string | null>,
): Promise<void> {
  const source = await book.next(ctx, doc, 'fee');
  await book.write(ctx, source, await run(source));
}
