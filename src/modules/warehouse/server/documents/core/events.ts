import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { post, reverse } from '../../ledger/post.ts';
import {
  type Held,
  heldBy,
  type PlacedLine,
  type ReserveLine,
  release,
  reserve,
  reserveAt,
} from '../../ledger/reserve.ts';
import type { Move, Source } from '../../ledger/types.ts';
import { valuesOf } from '../../ledger/values.ts';
import type { StockDocument } from './load.ts';
import { settingOf } from './setting.ts';

const DAY_MS = 86_400_000;

interface Noted {
  clientId?: string | undefined;
  /** What was sent, for the eye. */
  lines?: readonly object[] | undefined;
  note?: string | undefined;
}

/** Key of the document's next event: its number is free, because the document's row is locked. */
async function nextSource(ctx: Ctx, doc: StockDocument, event: string): Promise<Source> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) + 1 AS seq FROM warehouse.document_event
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id}`.execute(ctx.db);
  return { type: `warehouse.${doc.kind}`, id: doc.id, event, seq: rows[0]?.seq ?? 1, number: doc.number };
}

async function note(ctx: Ctx, source: Source, posting: string | null, { clientId, lines }: Noted): Promise<void> {
  await ctx.db
    .insertInto('warehouse.document_event')
    .values({
      company_id: ctx.companyId,
      document_id: source.id,
      seq: source.seq ?? 0,
      event: source.event,
      client_id: clientId ?? null,
      posting_id: posting,
      by_name: ctx.userName,
      lines: JSON.stringify(lines ?? []),
    })
    .execute();
}

/** Whether a command with this id of the client's was carried out before. */
export async function seenBefore(ctx: Ctx, doc: StockDocument, clientId: string | undefined): Promise<boolean> {
  if (clientId === undefined) return false;
  const row = await ctx.db
    .selectFrom('warehouse.document_event')
    .select('seq')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', doc.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Posts moves as the next event of a document; answers the posting's id. */
export function postEvent(
  ctx: Ctx,
  doc: StockDocument,
  event: string,
  moves: readonly Move[],
  noted: Noted = {},
): Promise<string> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, event);
    const { id } = await post(ctx, { source, moves, note: noted.note });
    await note(ctx, source, id, noted);
    return id;
  });
}

/** Notes something that moved no stock: a scan, a count. */
export async function noteEvent(ctx: Ctx, doc: StockDocument, event: string, noted: Noted): Promise<void> {
  await note(ctx, await nextSource(ctx, doc, event), null, noted);
}

/** Until when a document may hold what it holds from now on; undefined: until it is over. */
async function holdEnd(ctx: Ctx): Promise<string | undefined> {
  const { holdDays } = await settingOf(ctx);
  return holdDays > 0 ? new Date(ctx.runtime.clock.ms() + holdDays * DAY_MS).toISOString() : undefined;
}

/** Holds pieces for the lines of a document, for as long as the company lets documents hold them. */
export function hold(ctx: Ctx, doc: StockDocument, lines: readonly ReserveLine[]): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, 'reserve');
    const { id } = await reserve(ctx, { source, lines, shelfLife: 0, until: await holdEnd(ctx) });
    await note(ctx, source, id, {});
  });
}

/** What the document holds, in the order in which a picker walks. */
export function holdings(ctx: Ctx, doc: StockDocument): Promise<Held[]> {
  return unscoped(ctx, () => heldBy(ctx, `warehouse.${doc.kind}`, doc.id));
}

/** Gives back all that the document holds, or only some of it. */
export function letGo(ctx: Ctx, doc: StockDocument, only?: readonly string[]): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, 'release');
    const posted = await release(ctx, source, only);
    if (posted) await note(ctx, source, posted.id, {});
  });
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
    const source = await nextSource(ctx, doc, 'takeOver');
    const { id } = await reserveAt(ctx, { source, lines, until: await holdEnd(ctx), note: reason });
    await note(ctx, source, id, { lines });
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
  const source = await nextSource(ctx, doc, 'fee');
  await note(ctx, source, await run(source), {});
}
