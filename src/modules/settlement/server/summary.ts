import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { feeTitle, sectionOf } from '../contract/fees.ts';
import type { SettlementCard, SettlementFilter } from '../contract/settlements.ts';
import { settlementsOf } from './list.ts';
import { isOpen } from './open.ts';
import { inStores } from './stores.ts';

interface OpenRow {
  currency: string;
  deferred: string;
  released: string;
}

/** Money that Amazon still holds, by currency. */
async function openMoney(ctx: Ctx, stores: readonly string[] | undefined): Promise<OpenRow[]> {
  const store = stores?.length ? sql`AND ${inStores('d', stores)}` : sql``;
  const { rows } = await sql<OpenRow>`
    SELECT d.currency, coalesce(sum(d.total) FILTER (WHERE d.status = 'DEFERRED'), 0) AS deferred,
           coalesce(sum(d.total) FILTER (WHERE d.status <> 'DEFERRED'), 0) AS released
      FROM settlement.source_doc AS d
     WHERE d.company_id = ${ctx.companyId} AND ${isOpen('d')} ${store}
     GROUP BY d.currency`.execute(ctx.db);
  return rows;
}

/** The figures above the list, one set per currency, the one with the most settlements first. */
async function cardsOf(ctx: Ctx, filter: SettlementFilter): Promise<SettlementCard[]> {
  const settled = await settlementsOf(ctx, filter)
    .select(['s.currency', sql<string>`sum(s.total_amount)`.as('amount'), sql<number>`count(*)`.as('n')])
    .groupBy('s.currency')
    .execute();
  const failed = await settlementsOf(ctx, filter)
    .innerJoin('settlement.fee_total as t', (join) =>
      join.onRef('t.company_id', '=', 's.company_id').onRef('t.source_doc_id', '=', 's.id'),
    )
    .where('t.fee_code', '=', 'TRANSFER_FAILED')
    .select(['s.currency', sql<string>`sum(t.amount)`.as('amount')])
    .groupBy('s.currency')
    .execute();
  const open = await openMoney(ctx, filter.stores);
  const currencies = new Set([...settled, ...open].map((row) => row.currency));
  const amount = (rows: readonly { currency: string; amount: string }[], currency: string) =>
    rows.find((row) => row.currency === currency)?.amount ?? '0';
  const cards = [...currencies].map((currency) => {
    const money = open.find((row) => row.currency === currency) ?? { deferred: '0', released: '0' };
    const unsettled = new Decimal(money.deferred).plus(money.released);
    const done = amount(settled, currency);
    return {
      currency,
      settled: done,
      deferred: money.deferred,
      released: money.released,
      open: unsettled.toFixed(),
      total: unsettled.plus(done).toFixed(),
      failed: amount(failed, currency),
    };
  });
  const weight = (currency: string) => settled.find((row) => row.currency === currency)?.n ?? 0;
  return cards.toSorted((a, b) => weight(b.currency) - weight(a.currency) || (a.currency < b.currency ? -1 : 1));
}

const AMOUNTS = ['settled', 'deferred', 'released', 'open', 'total', 'failed'] as const;

/** Cards and the pivot of transaction type by fee over all settlements of the filter. */
export async function summaryOf(ctx: Ctx, filter: SettlementFilter) {
  const rows = await settlementsOf(ctx, filter)
    .innerJoin('settlement.fee_total as t', (join) =>
      join.onRef('t.company_id', '=', 's.company_id').onRef('t.source_doc_id', '=', 's.id'),
    )
    .select(['s.currency', 't.transaction_type', 't.fee_code'])
    .select([sql<string>`sum(t.amount)`.as('amount'), sql<number>`sum(t.line_count)::bigint`.as('lines')])
    .groupBy(['s.currency', 't.transaction_type', 't.fee_code'])
    .orderBy('s.currency')
    .orderBy('t.transaction_type')
    .orderBy(sql`abs(sum(t.amount)) DESC`)
    .execute();
  const pivot = rows.map((row) => ({
    currency: row.currency,
    transactionType: row.transaction_type,
    feeCode: row.fee_code,
    feeTitle: feeTitle(row.fee_code),
    section: sectionOf(row.fee_code),
    amount: row.amount,
    lines: row.lines,
  }));
  const cards = await cardsOf(ctx, filter);
  return { cards, totals: await moneyTotals(ctx, cards, AMOUNTS), pivot };
}
