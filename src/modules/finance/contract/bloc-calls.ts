import { z } from 'zod';
import { OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Money } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { APPLY, BlocFilter, BlocInput, BlocRow, BlocState, blocRequest, CARRY, VIEW } from './bloc.ts';
import { Amount, AmountOrNone, ById, base, Words } from './fields.ts';
import { ItemRow, openDebts } from './payables.ts';

const root = `${base}/blocRequest`;

export const listBloc = endpoint({
  title: '往来申请列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(BlocFilter),
  sortable: ['number', 'amount', 'wishedOn', 'dueOn', 'createdAt'],
  reply: Page(BlocRow),
});

export const countBloc = endpoint({
  title: '往来申请各状态数量',
  method: 'POST',
  path: `${root}/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: BlocFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportBloc = endpoint({
  title: '导出往来申请',
  method: 'POST',
  path: `${root}/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(BlocFilter),
  reply: z.unknown(),
});

/** What people write about a request and put to it. */
export const blocNotes = noteCalls({ def: blocRequest, base: root, view: VIEW, attach: APPLY });

/** One entry that carrying out, or taking it back, wrote into the ledger. */
export const BlocMove = z.object({
  id: z.string().meta({ hidden: true }),
  day: Day.meta({ title: '日期', width: 100 }),
  title: z.string().meta({ title: '摘要', width: 220 }),
  book: z.string().meta({ title: '科目', width: 100 }),
  object: z.string().meta({ title: '账户或单位', width: 170 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130, tip: '正数为增加资产或费用，负数相反' }),
  base: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 130 }),
  by: z.string().meta({ title: '经办人', kind: 'person', width: 110 }),
  currency: Currency.meta({ hidden: true }),
});
export type BlocMove = z.infer<typeof BlocMove>;

export const blocData = endpoint({
  title: '往来申请详情',
  method: 'GET',
  path: `${root}/getData/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: BlocRow,
    /** How it was carried out; null until then. */
    carried: z
      .object({
        day: Day,
        /** The account, the debt that was paid or the category, by name; '' for the mutual books alone. */
        account: z.string(),
        payable: z.string(),
        category: z.string(),
        paid: Money.nullable(),
        fee: Money,
        accountCurrency: Currency.nullable(),
        by: z.string(),
        note: z.string(),
      })
      .nullable(),
    /** Receivables and payables that came of it. */
    items: z.array(ItemRow),
    moves: z.array(BlocMove),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

const Outcome = z.object({ id: Id, number: z.string(), state: BlocState, version: z.int(), message: z.string() });
export type Outcome = z.infer<typeof Outcome>;

export const saveBloc = endpoint({
  title: '往来申请·保存',
  method: 'POST',
  path: `${root}/saveData`,
  permission: APPLY,
  body: BlocInput,
  reply: Outcome,
});

const Command = z.object({
  id: Id.meta({ title: '往来申请' }),
  version: z.int().optional().meta({ title: '版本' }),
  reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
});

const command = (name: keyof typeof blocRequest.transitions) => {
  const { title, permission } = blocRequest.transitions[name];
  return endpoint({
    title: `往来申请·${title}`,
    method: 'POST',
    path: `${root}/${name}`,
    permission,
    body: Command,
    reply: Outcome,
  });
};

/** Steps that are one transition each. */
export const blocSteps = {
  submit: command('submit'),
  withdraw: command('withdraw'),
  approve: command('approve'),
  return: command('return'),
  cancel: command('cancel'),
  void: command('void'),
};
export type BlocStep = keyof typeof blocSteps;

export const CarryForm = z.object({
  cashAccountId: z.uuid('请选择账户').nullish().meta({ title: '资金账户' }),
  /** In the currency of the account, where it differs from the request's. */
  paid: Amount('账户金额').nullish().meta({ title: '账户金额' }),
  fee: AmountOrNone('手续费').default('0'),
  payableId: z.uuid('请选择应付').nullish().meta({ title: '被代付的应付' }),
  categoryId: z.uuid('请选择收支项').nullish().meta({ title: '收支项' }),
  day: Day.optional().meta({ title: '执行日期' }),
  note: Words(200, '备注'),
});

/**
 * Carries an approved request out, once: where the own company lends, borrows or pays for another the money moves from or to
 * an account; a debt of ours that another one paid is settled; else the mutual books alone change.
 */
export const carryBloc = endpoint({
  title: '往来申请·执行',
  method: 'POST',
  path: `${root}/carry`,
  permission: CARRY,
  body: CarryForm.extend({
    id: Id.meta({ title: '往来申请' }),
    version: z.int().optional().meta({ title: '版本' }),
  }),
  reply: Outcome,
});

/** Debts of ours to somebody that another company can have paid, what is due first at the front. */
export const payableChoices = endpoint({
  title: '可代付的应付',
  method: 'POST',
  path: `${root}/payables`,
  permission: CARRY,
  access: 'read',
  concurrent: true,
  body: z.object({ partyId: Id.meta({ title: '往来单位' }), currency: Currency }),
  reply: openDebts.reply,
});
