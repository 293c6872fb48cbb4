import { sql } from 'kysely';
import type { z } from 'zod';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { blocRequest } from '../../contract/bloc.ts';
import type { BlocMove, blocData } from '../../contract/bloc-calls.ts';
import { itemsOf } from '../payables/list.ts';
import { rowOf } from './list.ts';

type Data = z.output<typeof blocData.reply>;

const BOOKS: Record<string, string> = {
  ACCOUNT: '资金账户',
  RECEIVABLE: '应收',
  PAYABLE: '应付',
  EXPENSE: '费用',
  EXCHANGE: '换汇',
  GAIN: '汇兑损益',
};

/** How a request was carried out, by names; null before. */
async function carriedOf(ctx: Ctx, id: string): Promise<Data['carried']> {
  const { rows } = await sql<NonNullable<Data['carried']>>`
    SELECT r.done_on AS day, coalesce(a.name, '') AS account, a.currency AS "accountCurrency", r.paid::text AS paid,
           r.fee::text AS fee, coalesce(c.name, '') AS category, r.done_by_name AS by, r.note,
           coalesce(concat_ws(' ', s.short_name, n.name, i.title, nullif(i.subject_number, '')), '') AS payable
      FROM finance.bloc_request AS r
      LEFT JOIN finance.cash_account AS a ON a.company_id = r.company_id AND a.id = r.cash_account_id
      LEFT JOIN finance.category AS c ON c.company_id = r.company_id AND c.id = r.category_id
      LEFT JOIN finance.open_item AS i ON i.company_id = r.company_id AND i.id = r.payable_id
      LEFT JOIN supplier.supplier AS s ON s.company_id = i.company_id AND s.id = i.party_id AND i.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = i.company_id AND n.id = i.party_id AND i.party_kind = 'PARTNER'
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${id} AND r.posting_id IS NOT NULL`.execute(ctx.db);
  return rows[0] ?? null;
}

/** What carrying out and taking back wrote into the ledger, in its order. */
async function movesOf(ctx: Ctx, id: string): Promise<BlocMove[]> {
  const { rows } = await sql<BlocMove>`
    SELECT e.seq::text AS id, e.business_date AS day, p.title, e.book, e.amount::text AS amount, e.currency,
           e.base::text AS base, p.operator_name AS by,
           coalesce(a.name, s.short_name, n.name, c.name, '') AS object
      FROM finance.posting AS p
      JOIN finance.entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
      LEFT JOIN finance.cash_account AS a ON e.book = 'ACCOUNT' AND a.company_id = e.company_id AND a.id = e.item_id
      LEFT JOIN finance.category AS c ON c.company_id = e.company_id AND c.id = e.category_id
      LEFT JOIN finance.open_item AS i ON i.company_id = e.company_id AND i.id = e.item_id
      LEFT JOIN supplier.supplier AS s ON s.company_id = i.company_id AND s.id = i.party_id AND i.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = i.company_id AND n.id = i.party_id AND i.party_kind = 'PARTNER'
     WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${blocRequest.name} AND p.source_id = ${id}
     ORDER BY e.seq`.execute(ctx.db);
  return rows.map((row) => ({ ...row, book: BOOKS[row.book] ?? row.book }));
}

/** Everything that the page of a request shows. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Data> {
  const document = await rowOf(ctx, id);
  if (!document) throw notFound();
  const codes = [...new Set(Object.values(blocRequest.transitions).map((rule) => rule.permission))];
  return {
    document,
    carried: await carriedOf(ctx, id),
    items: await itemsOf(ctx, blocRequest.name, id),
    moves: await movesOf(ctx, id),
    actions: actionsOf(blocRequest, document.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, blocRequest.name, id),
  };
}
