import { z } from 'zod';
import { Choice, Decimal } from '#kit/contract/field.ts';

/** Root of the calls for carriers, their channels and prices. */
export const base = '/erp/api/v1/shipTransCompany';
export const TRANS_VIEW = 'erp:trans:view';
export const TRANS_EDIT = 'erp:trans:edit';
export const TRANS_IMPORT = 'erp:trans:import';

/** A card that ends within so many days, with none after it, is said to end soon. */
export const SOON_DAYS = 14;

export const BillUnit = Choice({ KG: '重量(kg)', CBM: '体积(m³)' }, '计费单位');
export type BillUnit = z.infer<typeof BillUnit>;

export const RoundPer = Choice({ BOX: '逐箱进位', SHIPMENT: '整票进位' }, '进位方式');
export type RoundPer = z.infer<typeof RoundPer>;

export const FeePer = Choice({ SHIPMENT: '每票', BOX: '每箱' }, '计收方式');
export type FeePer = z.infer<typeof FeePer>;

/** Kg or m³: a decimal from 0 with at most 3 places, as text. */
export const Measure = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,8}(\.\d{1,3})?$/, `${title}须为不小于0的数字，最多3位小数`)
    .meta({ title, kind: 'rate' });

/** An amount from 0 with at most so many places, as text. */
export const Amount = (title: string, places = 2) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{1,10}(\\.\\d{1,${places}})?$`), `${title}须为不小于0的金额，最多${places}位小数`)
    .meta({ title, kind: 'rate' });

/** A share "0" to "1" as text; "0.08" is 8 %. */
export const Share = (title: string) =>
  Decimal.refine((text) => /^(0(\.\d{1,4})?|1(\.0{1,4})?)$/.test(text), `${title}须在0%到100%之间，最多2位小数`).meta({
    title,
    kind: 'percent',
  });

/** Two letters, as sites are called: US, UK, DE. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, '请选择目的国')
  .meta({ title: '目的国', kind: 'code', width: 80 });
