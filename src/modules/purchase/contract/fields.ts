import { z } from 'zod';
import { Choice, Currency, Day, Id } from '#kit/contract/field.ts';

/** Root of the calls. */
export const base = '/erp/api/v1';
export const VIEW = 'erp:purchase:order:view';
export const EDIT = 'erp:purchase:order:edit';
export const SUBMIT = 'erp:purchase:order:submit';
export const APPROVE = 'erp:purchase:order:approve';
export const PLACE = 'erp:purchase:order:place';
export const VOID = 'erp:purchase:order:void';
export const RECEIVE = 'erp:purchase:order:receive';
export const OVER_RECEIVE = 'erp:purchase:order:overReceive';
export const REVERSE = 'erp:purchase:order:reverse';
export const CLOSE = 'erp:purchase:order:closeLine';
export const RETURN = 'erp:purchase:order:return';
export const AMEND = 'erp:purchase:order:amend';
export const EXPORT = 'erp:purchase:order:export';
export const OVERSEA = 'erp:purchase:oversea';
/** Prices and amounts of orders. */
export const PRICE = 'erp:purchase:field:price';

export const MAX_LINES = 500;

/** Not negative, up to four decimals, in the currency of the order. */
export const Amount = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, `${title}须为不小于0的数字，最多4位小数`)
    .meta({ title, kind: 'money', currency: 'currency', permission: PRICE });

/** A price of one piece: not negative, up to six decimals. */
export const UnitPrice = z
  .string()
  .trim()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, '单价须为不小于0的数字，最多6位小数')
  .meta({ title: '含税单价', kind: 'money', currency: 'currency', permission: PRICE });

/** A share from 0 up to, not including, 1. */
export const Share = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^0(\.\d{1,4})?$/, `${title}须在0到100%之间`)
    .meta({ title, kind: 'percent' });

export const Pieces = z.int().min(1, '数量必须为正整数').max(100_000_000).meta({ title: '数量', kind: 'integer' });
export const Words = (max: number, title: string) => z.string().trim().max(max).default('').meta({ title });

/** By what fees are shared among lines. */
export const SPLITS = {
  AMOUNT: '按金额',
  QTY: '按数量',
  WEIGHT: '按重量',
  VOLUME: '按体积',
  CHARGEABLE: '按计费重',
} as const;
export const FeeSplit = Choice(SPLITS, '费用分摊');
export type FeeSplit = z.infer<typeof FeeSplit>;
export const OrderType = Choice({ GOODS: '成品采购', CONSUMABLE: '辅料采购', SAMPLE: '样品采购' }, '采购类型');
export type OrderType = z.infer<typeof OrderType>;
export const InvoiceType = Choice({ none: '不开票', normal: '普通发票', special: '专用发票' }, '发票');
export type InvoiceType = z.infer<typeof InvoiceType>;

/** A part of the payment as the supplier's terms have it. */
export const Stage = z.object({ share: z.string(), anchor: z.string(), days: z.int() });

/** From one day to another, company days. */
export const DayRange = (title: string) =>
  z.object({ from: Day.optional(), to: Day.optional() }).meta({ title, kind: 'date' });

export const ById = z.object({ id: Id });
export const OrderCurrency = Currency.meta({ hidden: true });
