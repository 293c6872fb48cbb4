import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { listQuery, streamed } from '#kit/server/list/page.ts';
import { KingdeeRow, YONYOU_SUMMARY, YonyouRow } from '../contract/entry-files.ts';
import { TYPES, type VoucherFilter, type VoucherType, voucher } from '../contract/vouchers.ts';
import { matching } from './list.ts';

interface Entry {
  day: string;
  type: VoucherType;
  seq: number;
  attachments: number;
  maker: string;
  approver: string;
  lineNo: number;
  code: string;
  name: string;
  summary: string;
  debit: string;
  credit: string;
  currency: string;
  original: string;
  rate: string;
}

/**
 * Entries of vouchers that are in the books, by month, type and number. Opening balances are left out: other programs
 * take them elsewhere.
 */
function entriesOf(ctx: Ctx, filter: VoucherFilter) {
  return matching(ctx, { ...filter, state: undefined })
    .innerJoin('accounting.entry as e', (join) =>
      join.onRef('e.company_id', '=', 'v.company_id').onRef('e.voucher_id', '=', 'v.id'),
    )
    .innerJoin('accounting.subject as s', (join) =>
      join.onRef('s.company_id', '=', 'e.company_id').onRef('s.id', '=', 'e.subject_id'),
    )
    .where('v.state', 'in', ['posted', 'reversed'])
    .where('v.type', '<>', 'OPENING')
    .select(['v.day', 'v.type', 'v.seq', 'v.attachments', 'e.line_no as lineNo', 's.code', 's.name', 'e.summary'])
    .select(['v.created_by_name as maker', 'v.approved_by_name as approver', 'e.debit', 'e.credit', 'e.currency'])
    .select([
      sql<string>`coalesce(e.original, e.debit + e.credit)`.as('original'),
      sql<string>`coalesce(e.rate, 1)`.as('rate'),
    ]);
}

function kingdee(entry: Entry): KingdeeRow {
  const { day, type, seq, lineNo, maker, approver, currency, attachments, ...line } = entry;
  const home = currency === 'CNY';
  return {
    ...line,
    day,
    year: Number(day.slice(0, 4)),
    period: Number(day.slice(5, 7)),
    type: TYPES[type],
    number: seq,
    currency: home ? 'RMB' : currency,
    currencyName: home ? '人民币' : currency,
    maker,
    approver: approver || 'NONE',
    confirmer: 'NONE',
    cashier: 'NONE',
    agent: 'NONE',
    method: '*',
    methodNumber: '',
    quantity: 0,
    unit: '*',
    price: 0,
    reference: '',
    businessDay: day,
    dealing: '',
    attachments,
    serial: seq,
    source: '',
    business: '',
    rateType: '公司汇率',
    // Entries are counted from 0 there, and come in unposted.
    line: lineNo - 1,
    item: '',
    posted: 0,
    made: '',
    cashFlow: '',
  };
}

const yonyou = ({ type, seq, summary, currency, ...entry }: Entry): YonyouRow => ({
  ...entry,
  type: TYPES[type],
  number: seq,
  summary: summary.slice(0, YONYOU_SUMMARY),
  currency: currency === 'CNY' ? '人民币' : currency,
});

function fileOf<Row extends object>(
  open: OpenCtx,
  { filter, format }: ExportRequest<VoucherFilter>,
  of: { program: string; row: z.ZodObject; map: (entry: Entry) => Row },
): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `${of.program}凭证-${ctx.clock.today()}`,
    sheet: '凭证',
    format,
    columns: exportColumns(ctx, of.row, undefined),
    rows: streamed<Entry, Row>(
      ctx,
      {},
      {
        row: of.row,
        query: listQuery<Entry>(entriesOf(ctx, filter)),
        sort: {},
        order: [
          ['v.month', 'asc'],
          ['v.type', 'asc'],
          ['v.seq', 'asc'],
        ],
        key: 'e.line_no',
        map: of.map,
      },
    ),
    audit: { action: `导出${of.program}凭证`, resource: voucher.name, filter },
  }));
}

/** Entries of posted vouchers for 金蝶. */
export const kingdeeFile = (open: OpenCtx, body: ExportRequest<VoucherFilter>): Promise<FileReply> =>
  fileOf(open, body, { program: '金蝶', row: KingdeeRow, map: kingdee });

/** Entries of posted vouchers for 用友. */
export const yonyouFile = (open: OpenCtx, body: ExportRequest<VoucherFilter>): Promise<FileReply> =>
  fileOf(open, body, { program: '用友', row: YonyouRow, map: yonyou });
