import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { creditInvoice } from '../../contract/invoices.ts';
import { splitGross, total, withTax } from '../rules/amounts.ts';
import type { Profile } from '../settings/profile.ts';
import { profilesOf } from '../settings/profile.ts';
import { openBuyer } from './buyer.ts';
import { issue } from './issue.ts';
import type { Planned, PlannedLine } from './plan.ts';
import { type Invoice, invoiceOf, type Line, linesOf, lockInvoice } from './row.ts';
import type { Language } from './words.ts';

const keyOf = ({ item_id, kind }: Pick<Line, 'item_id' | 'kind'>): string => `${item_id} ${kind}`;

/** What issued credit notes have taken back of each line, by item and kind; amounts below zero. */
export async function creditedOf(
  ctx: Ctx,
  invoiceId: string,
  except = '',
): Promise<Map<string, { gross: string; tax: string }>> {
  const { rows } = await sql<{ key: string; gross: string; tax: string }>`
    SELECT l.item_id || ' ' || l.kind AS key, sum(l.gross)::text AS gross, sum(l.tax)::text AS tax
      FROM vat.invoice AS i JOIN vat.invoice_line AS l ON l.company_id = i.company_id AND l.invoice_id = i.id
     WHERE i.company_id = ${ctx.companyId} AND i.original_id = ${invoiceId} AND i.number IS NOT NULL
       AND i.id::text <> ${except} GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ key, gross, tax }) => [key, { gross, tax }]));
}

/** The invoice of a shipment; to issue it is locked, so that credit notes about it are made one after the other. */
async function originalOf(ctx: Ctx, row: Invoice, toIssue: boolean): Promise<Invoice | undefined> {
  const found = await ctx.db
    .selectFrom('vat.invoice')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', row.account_id)
    .where('shipping_id', '=', row.shipping_id)
    .where('type', '=', 'INVOICE')
    .executeTakeFirst();
  if (!found) return undefined;
  return toIssue ? lockInvoice(ctx, found.id) : invoiceOf(ctx, found.id);
}

/**
 * One line of a credit note, at the rate of the line that it takes back. The one that takes the rest takes the rest of the tax,
 * so that parts add up to the whole.
 */
function lineBack(line: Line, of: Line, before: { gross: string; tax: string } | undefined): PlannedLine {
  const rate = of.rate ?? '0';
  const isRest = new Decimal(of.gross)
    .plus(before?.gross ?? 0)
    .plus(line.gross)
    .isZero();
  const amounts = isRest
    ? withTax(
        line.gross,
        new Decimal(of.tax ?? 0)
          .plus(before?.tax ?? 0)
          .neg()
          .toFixed(2),
      )
    : line.amazon_tax === null
      ? splitGross(line.gross, rate)
      : withTax(line.gross, line.amazon_tax);
  return { ...line, ...amounts, rate };
}

/** How a credit note is to be issued, or what stands in its way; `toIssue` where it is issued now and not only shown. */
export async function plannedCredit(
  ctx: Ctx,
  row: Invoice,
  lines: readonly Line[],
  toIssue: boolean,
): Promise<{ planned: Planned; original: Invoice } | { problem: string }> {
  const original = await originalOf(ctx, row, toIssue);
  if (!original) return { problem: '没有找到原发票' };
  if (original.state !== 'accepted') return { problem: '原发票尚未被亚马逊接受，不能开红字发票' };
  const of = new Map((await linesOf(ctx, original.id)).map((line) => [keyOf(line), line]));
  const before = await creditedOf(ctx, original.id, row.id);
  const done: PlannedLine[] = [];
  for (const line of lines) {
    const taken = of.get(keyOf(line));
    if (!taken) return { problem: `原发票没有该明细：${line.sku || line.kind}` };
    const left = new Decimal(taken.gross).plus(before.get(keyOf(line))?.gross ?? 0);
    if (left.plus(line.gross).isNegative()) {
      return { problem: `红字金额超过原发票可红冲金额 ${left.toFixed(2)}（${taken.sku || taken.kind}）` };
    }
    done.push(lineBack(line, taken, before.get(keyOf(line))));
  }
  const planned: Planned = {
    treatment: original.treatment as Planned['treatment'],
    taxCountry: original.tax_country ?? '',
    country: original.series_country ?? '',
    sellerVat: original.seller_vat,
    buyer: openBuyer(ctx, row.buyer ?? original.buyer),
    language: (original.language ?? 'en') as Language,
    lines: done,
    totals: total(done),
  };
  return { planned, original };
}

/** The entity that issued an invoice issues its credit notes. @throws Error where it is gone, which foreign keys forbid */
export function issuerOf(profiles: ReadonlyMap<string, Profile>, original: Invoice): Profile {
  const profile = profiles.get(original.entity_id ?? '');
  if (!profile) throw new Error(`no entity ${original.entity_id}`);
  return profile;
}

type Wanted = z.output<typeof creditInvoice.body>;

/** Lines to take back: those that are named, or what is left of all. @throws refused B1462 */
async function wantedLines(ctx: Ctx, original: Invoice, wished: Wanted['lines']) {
  const of = await linesOf(ctx, original.id);
  const before = await creditedOf(ctx, original.id);
  const leftOf = (line: Line) => new Decimal(line.gross).plus(before.get(keyOf(line))?.gross ?? 0);
  const named = new Map(wished.map(({ lineNo, gross }) => [lineNo, gross]));
  if (named.size !== wished.length) throw refused('红字明细重复', 'B1462');
  const unknown = wished.find(({ lineNo }) => !of.some((line) => line.line_no === lineNo));
  if (unknown) throw refused(`原发票没有第 ${unknown.lineNo} 行`, 'B1462');
  const lines = of
    .map((line) => ({ line, gross: wished.length > 0 ? new Decimal(named.get(line.line_no) ?? 0) : leftOf(line) }))
    .filter(({ gross }) => gross.gt(0));
  const over = lines.find(({ line, gross }) => gross.gt(leftOf(line)));
  if (over) {
    throw refused(`第 ${over.line.line_no} 行红字金额不能超过 ${leftOf(over.line).toFixed(2)}`, 'B1462');
  }
  if (lines.length === 0) throw refused('没有可红冲的金额', 'B1462');
  return lines;
}

async function insertTyped(
  ctx: Ctx,
  original: Invoice,
  lines: Awaited<ReturnType<typeof wantedLines>>,
): Promise<string> {
  const id = randomUUID();
  await sql`
    INSERT INTO vat.invoice
      (company_id, id, account_id, marketplace_id, type, order_id, shipping_id, transaction_id, ordered_at, shipped_at, tax_day,
       currency, from_country, to_country, business, by_amazon, buyer, citations, title, sku, gross)
    SELECT company_id, ${id}, account_id, marketplace_id, 'CREDIT_NOTE', order_id, shipping_id, ${`TYPED-${id}`}, ordered_at,
           kit.now(), ${ctx.clock.today()}::date, currency, from_country, to_country, business, false, buyer, citations, title, sku,
           ${sum(lines.map(({ gross }) => gross.neg().toFixed(2)))}
      FROM vat.invoice WHERE company_id = ${ctx.companyId} AND id = ${original.id}`.execute(ctx.db);
  await ctx.db
    .insertInto('vat.invoice_line')
    .values(
      lines.map(({ line, gross }, at) => ({
        company_id: ctx.companyId,
        account_id: original.account_id,
        invoice_id: id,
        line_no: at + 1,
        item_id: line.item_id,
        kind: line.kind,
        sku: line.sku,
        asin: line.asin,
        title: line.title,
        quantity: line.quantity,
        gross: gross.neg().toFixed(2),
      })),
    )
    .execute();
  return id;
}

/**
 * Takes an accepted invoice back, whole or in part, where Amazon has told of no refund: the document is issued and stored, and
 * stays with the company, as Amazon takes credit notes for its own refunds alone.
 * @throws 404, 409; refused B1461 for an invoice that is not accepted, B1462 for more than is left
 */
export async function credit(ctx: Ctx, wish: Wanted): Promise<{ id: string; number: string }> {
  const original = await lockInvoice(ctx, wish.id, wish.version);
  if (original.type !== 'INVOICE') throw refused('红字发票不能再开红字', 'B1461');
  if (original.state !== 'accepted') throw refused('发票尚未被亚马逊接受，不能开红字发票', 'B1461');
  const id = await insertTyped(ctx, original, await wantedLines(ctx, original, wish.lines));
  const row = await lockInvoice(ctx, id);
  const made = await plannedCredit(ctx, row, await linesOf(ctx, id), true);
  if ('problem' in made) throw conflict(made.problem);
  const profile = issuerOf(await profilesOf(ctx), original);
  return { id, number: await issue(ctx, { row, profile, ...made }) };
}
