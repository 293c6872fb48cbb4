import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money } from '#kit/contract/field.ts';
import { ById, base, PRICE, SPLITS, Words } from './fields.ts';

export const ChargeKind = Choice(
  { FREIGHT: '运费', DUTY: '关税', IMPORT_VAT: '进口VAT', OTHER: '其他费用' },
  '费用类型',
);
export type ChargeKind = z.infer<typeof ChargeKind>;

/** As fees of an order, or a tax as it was expected line by line. */
export const ChargeSplit = Choice({ ...SPLITS, TAX: '按明细税额' }, '费用分摊');
export type ChargeSplit = z.infer<typeof ChargeSplit>;

const money = (title: string) => Money.nullable().meta({ title, currency: 'CNY', width: 120, permission: PRICE });

/** A bill that came after the goods. */
export const ChargeRow = z.object({
  id: Id,
  kind: ChargeKind.meta({ width: 90 }),
  payee: z.string().meta({ title: '收款方', width: 150 }),
  amount: money('金额'),
  split: ChargeSplit.meta({ width: 90 }),
  capitalised: money('计入库存').meta({ tip: '仍在库存中的部分' }),
  expensed: money('计入成本差异').meta({ tip: '已售出或已退回的部分' }),
  recoverable: money('可抵扣').meta({ tip: '可抵扣的进口VAT，不计入成本' }),
  currency: Currency.meta({ hidden: true }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  by: z.string().meta({ title: '登记人', kind: 'person', width: 100 }),
  at: Instant.meta({ title: '登记时间', width: 130 }),
  /** Who took it back, when and why; empty while it stands. */
  reversal: z.string().meta({ title: '冲销', width: 160 }),
});
export type ChargeRow = z.infer<typeof ChargeRow>;

export const CHARGE = 'erp:purchase:charge:add';

export const orderCharges = endpoint({
  title: '采购单后到费用',
  method: 'GET',
  path: `${base}/landedCharge/list/:id`,
  permission: 'erp:purchase:order:view',
  concurrent: true,
  params: ById,
  reply: z.array(ChargeRow),
});

/**
 * A bill for goods that have come: what is still in stock costs more, the rest is a variance. Import VAT that can be deducted
 * is owed all the same, and no cost.
 */
export const addCharge = endpoint({
  title: '登记后到费用',
  method: 'POST',
  path: `${base}/landedCharge/save`,
  permission: CHARGE,
  body: z.object({
    orderId: Id.meta({ title: '采购单' }),
    kind: ChargeKind.default('FREIGHT'),
    /** Who is owed it; the order's supplier where left out. */
    payeeId: z.uuid().nullable().default(null).meta({ title: '收款方' }),
    /** CNY. */
    amount: z
      .string()
      .trim()
      .regex(/^\d{1,12}(\.\d{1,2})?$/, '金额须为正数，最多2位小数')
      .refine((value) => /[1-9]/.test(value), '金额必须大于0')
      .meta({ title: '金额', kind: 'money', currency: 'CNY', permission: PRICE }),
    split: ChargeSplit.default('WEIGHT'),
    /** Of import VAT: it is deducted from what the company owes the state, and no cost of the goods. */
    recoverable: z.boolean().default(true).meta({ title: '进口VAT可抵扣' }),
    remark: Words(200, '备注'),
  }),
  reply: z.object({
    id: Id,
    capitalised: money('计入库存'),
    expensed: money('计入成本差异'),
    recoverable: money('可抵扣'),
  }),
});

/** Takes a bill back that was written down by mistake: what is owed for it, and its cost wherever the pieces are now. */
export const reverseCharge = endpoint({
  title: '冲销后到费用',
  method: 'POST',
  path: `${base}/landedCharge/reverse`,
  permission: CHARGE,
  body: z.object({
    id: Id.meta({ title: '后到费用' }),
    reason: z.string().trim().min(1, '请填写原因').max(200, '原因不能超过200个字符').meta({ title: '原因' }),
  }),
  reply: z.object({ id: Id, capitalised: money('退出库存'), expensed: money('冲回成本差异') }),
});
