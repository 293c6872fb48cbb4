import { sql } from 'kysely';
import { sum } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import {
  asideWarning,
  FileRefused,
  type LandCounts,
  type ReportCheck,
  type ReportLoader,
  type ReportSource,
  refuseTooBad,
  vatInvoiceData,
} from '#modules/marketplace/server/index.ts';
import { sealBuyer } from '../invoice/buyer.ts';
import { RESOURCE } from '../invoice/row.ts';
import { verdictOf } from './judge.ts';
import { keyOf, readTold, type Told } from './read.ts';

/** Documents that are written with one statement. */
const BATCH = 500;

async function check(source: ReportSource): Promise<ReportCheck> {
  const { told, rows, refused } = await readTold(source);
  refuseTooBad(refused, rows);
  const days = told.map(({ taxDay }) => taxDay).sort();
  return {
    rows,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    summary: `${vatInvoiceData.title} · ${formatInteger(told.length)} 个单据`,
    warnings: asideWarning(refused),
  };
}

async function knownOf(ctx: Ctx, accountId: string, told: readonly Told[]) {
  const shipments = [...new Set(told.map(({ shippingId }) => shippingId))];
  const { rows } = await sql<Known>`
    SELECT id, shipping_id AS "shippingId", type, transaction_id AS "transactionId", state, uploaded_at AS "uploadedAt",
           wanted_at AS "wantedAt", told_at AS "toldAt", number
      FROM vat.invoice
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND shipping_id = ANY (${shipments}::text[])
     ORDER BY id FOR UPDATE`.execute(ctx.db);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

interface Known {
  id: string;
  shippingId: string;
  type: Told['type'];
  transactionId: string;
  state: string;
  uploadedAt: string | null;
  wantedAt: string | null;
  toldAt: string | null;
  number: string | null;
}

/** The columns of a document that the report tells, as JSON. */
function columnsOf(ctx: Ctx, told: Told, askedAt: string) {
  const [first] = told.lines;
  return {
    marketplace_id: told.marketplaceId,
    type: told.type,
    order_id: told.orderId,
    shipping_id: told.shippingId,
    transaction_id: told.transactionId,
    ordered_at: told.orderedAt,
    shipped_at: told.shippedAt,
    tax_day: told.taxDay,
    currency: told.currency,
    from_country: told.from,
    to_country: told.to,
    business: told.business,
    by_amazon: told.lines.every(({ rate, tax }) => rate !== null && tax !== null),
    seller_vat: told.sellerVat,
    citations: told.citations,
    buyer: sealBuyer(ctx, told.buyer),
    title: first?.title ?? '',
    sku: first?.sku ?? '',
    gross: sum(told.lines.map(({ gross }) => gross)),
    told_at: askedAt,
  };
}

const COLUMNS = `marketplace_id text, type text, order_id text, shipping_id text, transaction_id text, ordered_at timestamptz,
  shipped_at timestamptz, tax_day date, currency text, from_country text, to_country text, business boolean, by_amazon boolean,
  seller_vat text, citations jsonb, buyer text, title text, sku text, gross numeric, told_at timestamptz`;
const NAMES = COLUMNS.split(',').map((one) => one.trim().split(' ')[0]);

async function insertNew(ctx: Ctx, accountId: string, told: readonly Told[], askedAt: string): Promise<void> {
  const names = sql.raw(NAMES.join(', '));
  const { rows } = await sql<Known>`
    INSERT INTO vat.invoice (company_id, account_id, ${names})
    SELECT ${ctx.companyId}, ${accountId}, ${names}
      FROM jsonb_to_recordset(${JSON.stringify(told.map((one) => columnsOf(ctx, one, askedAt)))}::jsonb) AS r(${sql.raw(COLUMNS)})
    RETURNING id, shipping_id AS "shippingId", type, transaction_id AS "transactionId"`.execute(ctx.db);
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  await writeLines(
    ctx,
    accountId,
    told.map((one) => [ids.get(keyOf(one)) ?? '', one]),
  );
}

async function writeLines(ctx: Ctx, accountId: string, documents: readonly (readonly [string, Told])[]): Promise<void> {
  const lines = documents.flatMap(([id, { lines }]) => lines.map((line, at) => ({ id, no: at + 1, ...line })));
  await sql`
    INSERT INTO vat.invoice_line (company_id, account_id, invoice_id, line_no, item_id, kind, sku, asin, title, quantity, gross,
                                  amazon_rate, amazon_tax)
    SELECT ${ctx.companyId}, ${accountId}, r.id, r.no, r."itemId", r.kind, r.sku, r.asin, r.title, r.quantity, r.gross, r.rate, r.tax
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        AS r(id uuid, no int, "itemId" text, kind text, sku text, asin text, title text, quantity int, gross numeric, rate numeric,
             tax numeric)`.execute(ctx.db);
}

const lineText = (line: Omit<Told['lines'][number], 'title'>): string =>
  [
    line.itemId,
    line.kind,
    line.sku,
    line.quantity,
    ...[line.gross, line.rate, line.tax].map((n) => (n === null ? '' : Number(n))),
  ].join(' ');

/** Ids of waiting documents whose lines are other than they are told. */
async function changedOf(ctx: Ctx, documents: readonly (readonly [string, Told])[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
    itemId: string;
    kind: 'ITEM';
    sku: string;
    quantity: number;
    gross: string;
    rate: string | null;
    tax: string | null;
  }>`
    SELECT invoice_id AS id, item_id AS "itemId", kind, sku, quantity, gross, amazon_rate AS rate, amazon_tax AS tax FROM vat.invoice_line
     WHERE company_id = ${ctx.companyId} AND invoice_id = ANY (${documents.map(([id]) => id)}::uuid[])
     ORDER BY invoice_id, line_no`.execute(ctx.db);
  const now = Map.groupBy(rows, ({ id }) => id);
  const textOf = (lines: readonly Omit<Told['lines'][number], 'title' | 'asin'>[]) =>
    lines.map((one) => lineText(one as never)).join('\n');
  return new Set(documents.filter(([id, { lines }]) => textOf(now.get(id) ?? []) !== textOf(lines)).map(([id]) => id));
}

/** Writes what waits anew, where the report tells it otherwise; returns how many there were. */
async function rewrite(
  ctx: Ctx,
  accountId: string,
  waiting: readonly (readonly [string, Told])[],
  askedAt: string,
): Promise<number> {
  const changed = await changedOf(ctx, waiting);
  const documents = waiting.filter(([id]) => changed.has(id));
  if (documents.length === 0) return 0;
  const rows = documents.map(([id, told]) => ({ id, ...columnsOf(ctx, told, askedAt) }));
  const assigned = sql.raw(NAMES.map((name) => `${name} = r.${name}`).join(', '));
  await sql`
    UPDATE vat.invoice AS i SET ${assigned}, version = i.version + 1, updated_at = kit.now()
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id uuid, ${sql.raw(COLUMNS)})
     WHERE i.company_id = ${ctx.companyId} AND i.id = r.id`.execute(ctx.db);
  await sql`DELETE FROM vat.invoice_line WHERE company_id = ${ctx.companyId} AND invoice_id = ANY (${[...changed]}::uuid[])`.execute(
    ctx.db,
  );
  await writeLines(ctx, accountId, documents);
  return documents.length;
}

/** Notes how Amazon judged documents that were sent to it; returns how many it said something new of. */
async function judge(ctx: Ctx, documents: readonly (readonly [Known, Told])[], askedAt: string): Promise<number> {
  let count = 0;
  for (const [known, told] of documents) {
    const verdict = verdictOf(told.status, told.words, known, askedAt);
    if (!verdict) continue;
    count += 1;
    const problem = verdict.state === 'rejected' ? verdict.problem.slice(0, 1000) : '';
    await sql`
      UPDATE vat.invoice SET state = ${verdict.state}, problem = ${problem}, version = version + 1, told_at = ${askedAt}::timestamptz,
             accepted_at = CASE WHEN ${verdict.state} = 'accepted' THEN kit.now() END, updated_at = kit.now()
       WHERE company_id = ${ctx.companyId} AND id = ${known.id}`.execute(ctx.db);
    await audit(ctx, {
      action: verdict.state === 'accepted' ? '亚马逊接受VAT发票' : '亚马逊拒绝VAT发票',
      resource: RESOURCE,
      resourceId: known.id,
      before: { state: known.state },
      after: { state: verdict.state, number: known.number, ...(problem ? { problem } : {}) },
    });
  }
  return count;
}

/** What waits for a document, or was sent back for one: others were invoiced elsewhere. */
const isWanted = ({ status }: Told): boolean => status === '' || /pending/i.test(status);
const isElsewhere = ({ status }: Told): boolean => /uploaded|accepted/i.test(status);

/** What waited here and was invoiced in Seller Central or by another program waits no more. */
async function drop(ctx: Ctx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const these = sql`company_id = ${ctx.companyId} AND`;
  await sql`DELETE FROM vat.invoice_line WHERE ${these} invoice_id = ANY (${ids}::uuid[])`.execute(ctx.db);
  await sql`DELETE FROM vat.invoice WHERE ${these} id = ANY (${ids}::uuid[])`.execute(ctx.db);
  return ids.length;
}

async function landBatch(ctx: Ctx, accountId: string, told: readonly Told[], askedAt: string) {
  const known = await knownOf(ctx, accountId, told);
  const fresh = told.filter((one) => isWanted(one) && !known.has(keyOf(one)));
  const old = told.flatMap((one) => {
    const row = known.get(keyOf(one));
    // What a report that was asked for later told stands.
    return row && !(row.toldAt && Date.parse(row.toldAt) > Date.parse(askedAt)) ? [[row, one] as const] : [];
  });
  if (fresh.length > 0) await insertNew(ctx, accountId, fresh, askedAt);
  const waiting = old.filter(([row]) => row.state === 'pending').map(([row, one]) => [row.id, one] as const);
  const gone = await drop(
    ctx,
    waiting.filter(([, one]) => isElsewhere(one)).map(([id]) => id),
  );
  const rewritten = await rewrite(
    ctx,
    accountId,
    waiting.filter(([, one]) => !isElsewhere(one)),
    askedAt,
  );
  return { inserted: fresh.length, updated: gone + rewritten + (await judge(ctx, old, askedAt)) };
}

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const { told, rows, refused } = await readTold(source);
  refuseTooBad(refused, rows);
  const foreign = told.find(({ marketplaceId }) => !source.account.marketplaceIds.includes(marketplaceId));
  if (foreign) throw new FileRefused('FOREIGN', '报表中的站点不属于该店铺');
  // By our clock, as uploads are; what somebody uploads is as old as it may be.
  const askedAt = source.asked?.at ?? ctx.runtime.clock.now().toISOString();
  let [inserted, updated] = [0, 0];
  for (let at = 0; at < told.length; at += BATCH) {
    const done = await landBatch(ctx, source.account.id, told.slice(at, at + BATCH), askedAt);
    inserted += done.inserted;
    updated += done.updated;
  }
  return {
    rowsIn: rows,
    inserted,
    updated,
    unchanged: told.length - inserted - updated,
    quarantined: refused.length,
    refused,
  };
}

/**
 * Lands shipments and refunds that want a document, and how uploaded ones were judged. A document that is issued is changed by
 * nothing that a report says but its state; repeating a file changes nothing.
 */
export const vatInvoiceLoader: ReportLoader = {
  reportTypes: [vatInvoiceData.type],
  title: vatInvoiceData.title,
  check,
  load,
};
