import { z } from 'zod';
import { Command, OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Money } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, VIEW } from './fields.ts';
import { CREATE, EntryRow, VoucherFilter, VoucherInput, VoucherRow, VoucherState, voucher } from './vouchers.ts';

const root = `${base}/voucher`;

export const listVouchers = endpoint({
  title: '凭证列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(VoucherFilter),
  sortable: ['number', 'day', 'amount'],
  reply: Page(VoucherRow),
});

export const countVouchers = endpoint({
  title: '凭证各状态数量',
  method: 'POST',
  path: `${root}/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: VoucherFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportVouchers = endpoint({
  title: '导出凭证',
  method: 'POST',
  path: `${root}/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(VoucherFilter),
  reply: z.unknown(),
});

/** What people write about a voucher and put to it. */
export const voucherNotes = noteCalls({ def: voucher, base: root, view: VIEW, attach: CREATE });

/** Another voucher that this one takes back, or that takes it back. */
const Other = z.object({ id: Id, number: z.string() }).nullable();

/** An event of the business that a voucher was made from. */
export const VoucherFact = z.object({
  number: z.string().meta({ title: '单据', kind: 'code', width: 260 }),
  /** Its page; '' where it has none. */
  path: z.string(),
  amount: Money.meta({ title: '金额', currency: 'CNY', width: 140, tip: '借方合计' }),
});
export type VoucherFact = z.infer<typeof VoucherFact>;

export const voucherData = endpoint({
  title: '凭证详情',
  method: 'GET',
  path: `${root}/data/:id`,
  permission: VIEW,
  concurrent: true,
  params: z.object({ id: Id }),
  reply: z.object({
    document: VoucherRow,
    lines: z.array(EntryRow),
    reversalOf: Other,
    reversedBy: Other,
    /** What it was made from, 200 at most; none where a person wrote it. */
    facts: z.array(VoucherFact),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

const Outcome = z.object({ id: Id, number: z.string(), state: VoucherState, version: z.int(), message: z.string() });
export type Outcome = z.infer<typeof Outcome>;

/** Writes a draft; it may be out of balance until it is handed in. */
export const saveVoucher = endpoint({
  title: '凭证·保存',
  method: 'POST',
  path: `${root}/save`,
  permission: CREATE,
  body: VoucherInput,
  reply: Outcome,
});

const command = (name: keyof typeof voucher.transitions) => {
  const { title, permission } = voucher.transitions[name];
  return endpoint({
    title: `凭证·${title}`,
    method: 'POST',
    path: `${root}/${name}`,
    permission,
    body: Command,
    reply: Outcome,
  });
};

export const voucherSteps = {
  submit: command('submit'),
  withdraw: command('withdraw'),
  approve: command('approve'),
  return: command('return'),
  post: command('post'),
  void: command('void'),
  reverse: command('reverse'),
};
export type VoucherStep = keyof typeof voucherSteps;
