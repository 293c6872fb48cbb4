import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { RowRefused } from '../files/reader.ts';
import { readerOf } from '../files/sniff.ts';
import type { ReportSource } from '../streams.ts';
import { type RawLine, rawLines } from './raw.ts';

const BATCH = 500;

async function writeLines(ctx: Ctx, source: ReportSource, lines: (RowRefused & { raw: RawLine | null })[]) {
  const rows = JSON.stringify(lines.map(({ lineNo, reason, raw }) => ({ line_no: lineNo, reason, raw })));
  await sql`
    INSERT INTO marketplace.quarantine_row AS q (company_id, account_id, kind, document_id, line_no, reason, raw)
    SELECT ${ctx.companyId}, ${source.account.id}, ${source.reportType}, ${source.documentId}, x.line_no, x.reason, x.raw
      FROM jsonb_to_recordset(${rows}::jsonb) AS x (line_no int, reason text, raw jsonb)
    ON CONFLICT (company_id, account_id, kind, document_id, line_no, item_key) DO UPDATE
      SET reason = excluded.reason, last_seen_at = kit.now(),
          state = CASE WHEN q.state = 'ignored' THEN q.state ELSE 'open' END,
          settled_at = CASE WHEN q.state = 'ignored' THEN q.settled_at END`.execute(ctx.db);
}

/** Lines that an earlier reading of the document refused and this one took over. */
async function settleTaken(ctx: Ctx, source: ReportSource, refused: readonly RowRefused[]): Promise<void> {
  await sql`
    UPDATE marketplace.quarantine_row
       SET state = 'fixed', settled_at = kit.now(), settled_by_name = coalesce(settled_by_name, ${ctx.userName})
     WHERE company_id = ${ctx.companyId} AND document_id = ${source.documentId} AND state = 'open'
       AND line_no <> ALL (${refused.map((row) => row.lineNo)}::int[])`.execute(ctx.db);
}

/**
 * Brings the quarantine up to what a reading of a document refused: new lines come with their text, lines that were
 * taken over this time are settled. In the transaction that lands the others.
 */
export async function keepAside(ctx: Ctx, source: ReportSource, refused: readonly RowRefused[]): Promise<void> {
  await settleTaken(ctx, source, refused);
  const unique = [...new Map(refused.map((row) => [row.lineNo, row])).values()];
  const options = { charset: source.charset, marketplaceId: source.marketplaceIds[0] };
  const { ignored } = readerOf(source.reportType) ?? {};
  const raw = await rawLines(source.open, options, new Set(unique.map((row) => row.lineNo)), ignored);
  for (let from = 0; from < unique.length; from += BATCH) {
    const lines = unique.slice(from, from + BATCH).map((row) => ({ ...row, raw: raw.get(row.lineNo) ?? null }));
    await writeLines(ctx, source, lines);
  }
}

/** One thing that an API told and that could not be taken over. */
export interface ItemRefused {
  /** What the API calls it, e.g. the order number. */
  key: string;
  reason: string;
  /** The answer as it came. */
  raw?: unknown;
}

/**
 * Sets aside what a delivery by API could not bring. `kind` is the code of the stream. The same thing again is the same
 * row; one that somebody ignored stays so.
 */
export async function setAsideItems(
  ctx: Ctx,
  accountId: string,
  kind: string,
  items: readonly ItemRefused[],
): Promise<void> {
  if (items.length === 0) return;
  const unique = [...new Map(items.map((item) => [item.key, item])).values()];
  const rows = JSON.stringify(unique.map(({ key, reason, raw }) => ({ key, reason, raw: raw ?? null })));
  await sql`
    INSERT INTO marketplace.quarantine_row AS q (company_id, account_id, kind, item_key, reason, raw)
    SELECT ${ctx.companyId}, ${accountId}, ${kind}, x.key, x.reason, x.raw
      FROM jsonb_to_recordset(${rows}::jsonb) AS x (key text, reason text, raw jsonb)
    ON CONFLICT (company_id, account_id, kind, document_id, line_no, item_key) DO UPDATE
      SET reason = excluded.reason, raw = excluded.raw, last_seen_at = kit.now(),
          state = CASE WHEN q.state = 'ignored' THEN q.state ELSE 'open' END,
          settled_at = CASE WHEN q.state = 'ignored' THEN q.settled_at END`.execute(ctx.db);
}

/** Keys of what of a stream still waits in the quarantine; almost always none. */
export async function itemsAside(ctx: Ctx, accountId: string, kind: string): Promise<string[]> {
  const { rows } = await sql<{ item_key: string }>`
    SELECT item_key FROM marketplace.quarantine_row
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND kind = ${kind} AND document_id IS NULL
       AND state = 'open'`.execute(ctx.db);
  return rows.map((row) => row.item_key);
}

/** Says that these arrived well after all. */
export async function settleItems(ctx: Ctx, accountId: string, kind: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    UPDATE marketplace.quarantine_row SET state = 'fixed', settled_at = kit.now(), settled_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND kind = ${kind} AND document_id IS NULL
       AND state = 'open' AND item_key = ANY (${[...keys]}::text[])`.execute(ctx.db);
}
