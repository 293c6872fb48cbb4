import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { platformBill } from '../../contract/bills/bill.ts';
import { RefundRow, RepaymentRow, type SheetFilter, TopupRow } from '../../contract/bills/lines.ts';
import { SHEETS } from './layout.ts';

interface Sheet {
  row: z.ZodObject;
  table: string;
  /** When it happened. */
  at: string;
  /** Fields of the row and their columns, besides `id`, `at` and `amount`. */
  fields: Readonly<Record<string, string>>;
  /** Columns that a keyword is looked for in. */
  texts: readonly string[];
}

/** The sheets that are shown as they were uploaded. */
const SHOWN = {
  repayments: {
    row: RepaymentRow,
    table: 'finance.platform_bill_repayment',
    at: 't.repaid_at',
    fields: { method: 't.method', kind: 't.kind' },
    texts: ['t.method', 't.kind'],
  },
  refunds: {
    row: RefundRow,
    table: 'finance.platform_bill_refund',
    at: 't.refunded_at',
    fields: {
      orderId: 't.order_id',
      name: 't.name',
      paid: 't.paid',
      kind: 't.kind',
      destination: 't.destination',
    },
    texts: ['t.order_id', 't.name'],
  },
  topups: {
    row: TopupRow,
    table: 'finance.platform_bill_topup',
    at: 't.at',
    fields: { kind: 't.kind', reference: 't.reference' },
    texts: ['t.kind', 't.reference'],
  },
} as const satisfies Record<string, Sheet>;
export type ShownSheet = keyof typeof SHOWN;

type Rows = Query<Record<string, unknown>>;

function conditions(ctx: Ctx, { at, texts }: Sheet, filter: SheetFilter) {
  const day = sql`kit.day(${sql.raw(at)})`;
  const like = filter.keyword ? containing(filter.keyword) : undefined;
  const found = [
    sql<boolean>`t.company_id = ${ctx.companyId}`,
    ...(filter.bill ? [sql<boolean>`t.bill_id = ${filter.bill}`] : []),
    ...(filter.at?.from ? [sql<boolean>`${day} >= ${filter.at.from}::date`] : []),
    ...(filter.at?.to ? [sql<boolean>`${day} <= ${filter.at.to}::date`] : []),
    ...(like
      ? [
          sql<boolean>`(${sql.join(
            texts.map((text) => sql`${sql.raw(text)} ILIKE ${like}`),
            sql` OR `,
          )})`,
        ]
      : []),
  ];
  return sql<boolean>`${sql.join(found, sql` AND `)}`;
}

function from(ctx: Ctx, sheet: Sheet, filter: SheetFilter): Rows {
  return ctx.db.selectFrom(sql.table(sheet.table).as('t') as never).where(conditions(ctx, sheet, filter)) as Rows;
}

function listDef(ctx: Ctx, sheet: Sheet, filter: SheetFilter): ListDef<Record<string, unknown>, never> {
  const columns = Object.entries({ ...sheet.fields, at: sheet.at, amount: 't.amount' });
  const query = from(ctx, sheet, filter).select([
    sql<string>`t.bill_id || ':' || t.line_no`.as('id'),
    ...columns.map(([name, column]) => sql`${sql.raw(column)}`.as(name)),
  ] as never) as unknown as Rows;
  return {
    row: sheet.row,
    query,
    sort: { at: sheet.at, amount: 't.amount' },
    order: [['t.bill_id', 'desc']],
    key: 't.line_no',
  };
}

/** One page of a sheet, with its sum over the whole filter. CNY. */
export function sheetPage(ctx: Ctx, name: ShownSheet, request: PageRequest<SheetFilter>): Promise<PageOf<never>> {
  const sheet: Sheet = SHOWN[name];
  const totals = async () => {
    const rows = await from(ctx, sheet, request.filter)
      .select(sql<string>`coalesce(sum(t.amount), 0)`.as('amount') as never)
      .execute();
    return { amount: (rows[0] as { amount: string } | undefined)?.amount ?? '0' };
  };
  return page(ctx, request, { ...listDef(ctx, sheet, request.filter), totals });
}

/** All rows of a sheet as a file. */
export function sheetFile(open: OpenCtx, name: ShownSheet, body: ExportRequest<SheetFilter>): Promise<FileReply> {
  const sheet: Sheet = SHOWN[name];
  const title = SHEETS[name];
  return download(open, async (ctx) => ({
    name: `平台账单${title}-${ctx.clock.today()}`,
    sheet: title,
    format: body.format,
    columns: exportColumns(ctx, sheet.row, body.columns),
    rows: streamed(ctx, body, listDef(ctx, sheet, body.filter)),
    audit: { action: `导出平台账单${title}`, resource: platformBill.name, filter: body.filter },
  }));
}
