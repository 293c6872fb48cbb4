import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Money } from '#kit/contract/field.ts';
import { ById, base } from './fields.ts';
import { FREIGHT_VIEW } from './freight/fields.ts';

const Cny = (title: string) => Money.nullable().meta({ title, currency: 'CNY' });

/** A shipment of a placement with what our own way there costs, and how long the centre takes; null with the reason. */
export const PlacementLeg = z.object({
  shipmentId: z.string(),
  center: z.string().meta({ title: '配送中心' }),
  freight: Money.nullable().meta({ title: '自付运费', currency: 'currency' }),
  currency: z.string(),
  freightCny: Cny('自付运费'),
  why: z.string(),
  days: z.int().nullable().meta({ title: '到仓→上架（天）', tip: '该配送中心近180天货件的 90 分位' }),
  daysWhy: z.string(),
});
export type PlacementLeg = z.infer<typeof PlacementLeg>;

/** What a placement comes to; a sum is null where one of its parts is unknown, `why` says which. */
export const PlacementCost = z.object({
  optionId: z.string(),
  legs: z.array(PlacementLeg),
  feeCny: Cny('配送费'),
  freightCny: Cny('自付运费'),
  totalCny: Cny('合计'),
  eachCny: Money.nullable().meta({
    title: '每件入仓成本',
    currency: 'CNY',
    tip: '（亚马逊配送费 + 自付运费）÷ 件数；货值各方案相同，不计入',
  }),
  why: z.string(),
  /** The slowest of its centres. */
  days: z.int().nullable(),
  cheapest: z.boolean(),
  fastest: z.boolean(),
});
export type PlacementCost = z.infer<typeof PlacementCost>;

/** 配送方案 with our own costs; no options where there is nothing to choose. `day`: of the price card and the rates. */
export const placementCosts = endpoint({
  title: '配送方案成本对比',
  method: 'GET',
  path: `${base}/inbound/costs/:id`,
  permission: FREIGHT_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({ channel: z.string(), day: Day, options: z.array(PlacementCost) }),
});
