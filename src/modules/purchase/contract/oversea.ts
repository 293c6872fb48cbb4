import { z } from 'zod';
import { Choice } from '#kit/contract/field.ts';
import { Amount, Share, Words } from './fields.ts';

/** The rules of Incoterms 2020: from where on cost and risk are the buyer's. */
export const Incoterm = Choice(
  {
    EXW: 'EXW 工厂交货',
    FCA: 'FCA 货交承运人',
    FOB: 'FOB 船上交货',
    CFR: 'CFR 成本加运费',
    CIF: 'CIF 成本、保险费加运费',
    CPT: 'CPT 运费付至',
    CIP: 'CIP 运费、保险费付至',
    DAP: 'DAP 目的地交货',
    DPU: 'DPU 目的地卸货后交货',
    DDP: 'DDP 完税后交货',
  },
  '贸易术语',
);
export type Incoterm = z.infer<typeof Incoterm>;

/** Of an order: the rule with its named place. */
export const OverseaTerms = {
  incoterm: Incoterm.nullable().default(null),
  incotermPlace: Words(100, '指定地点'),
};

/**
 * Of a line: what customs are expected to take. Shares of the customs value, or an amount in the order's currency for all
 * pieces that stands instead.
 */
export const ImportTaxes = {
  dutyRate: z
    .string()
    .trim()
    .regex(/^\d(\.\d{1,4})?$/, '关税率须在0到1000%之间')
    .default('0')
    .meta({ title: '关税率', kind: 'percent' }),
  dutyAmount: Amount('关税').nullable().default(null),
  importVatRate: Share('进口VAT率').default('0'),
  importVatAmount: Amount('进口VAT').nullable().default(null),
};

/** A rule as papers write it, e.g. 「FOB 深圳盐田港」; null without one. */
export const termOf = (incoterm: string | null, place: string): string | null =>
  incoterm === null ? null : `${incoterm} ${place}`;
