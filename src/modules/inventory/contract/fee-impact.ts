import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Money } from '#kit/contract/field.ts';
import { COUNTRIES } from '#modules/ratecard/contract/calculator.ts';
import { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import { AMOUNTS, goods, pieces } from './facts.ts';

const amount = (title: string, width = 96) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width });

/** Whose measurement a fee was reckoned by. */
export const MeasuredBy = Choice({ OWN: '自测', AMAZON: '亚马逊' }, '测量');

/** The fulfilment fee of a listing by the cards of two days. */
export const FeeImpactRow = z.object({
  id: goods.id,
  product: goods.product,
  store: goods.store,
  by: MeasuredBy.meta({ width: 80 }),
  beforeTier: FeeTier.meta({ title: '原分段', width: 120 }),
  before: amount('原费用'),
  afterTier: FeeTier.meta({ title: '新分段', width: 120 }),
  after: amount('新费用'),
  diff: amount('差额').meta({ tip: '新费用 − 原费用，含燃油附加费', good: 'down' }),
  units30: pieces('30日销量', 90).nullable(),
  monthly: amount('每月差额', 110).meta({ tip: '差额 × 近30日销量', good: 'down' }),
  currency: Currency.meta({ hidden: true }),
});
export type FeeImpactRow = z.infer<typeof FeeImpactRow>;

/** Rows that are sent at most; the sums are of all. */
export const IMPACT_ROWS = 300;

/** What a change of the published fees between two days does to the listings of a country, the most money first. */
export const feeImpact = endpoint({
  title: 'FBA费率影响分析',
  method: 'POST',
  path: '/amazon/api/v1/inventory/feeAudit/impact',
  permission: 'amz:inventory:view',
  access: 'read',
  concurrent: true,
  body: z.object({
    country: z.enum(COUNTRIES.map(({ country }) => country)).meta({ title: '国家' }),
    from: Day.meta({ title: '原日期' }),
    to: Day.meta({ title: '新日期' }),
  }),
  reply: z.object({
    rows: z.array(FeeImpactRow),
    /** Listings with a fee on both days, and of them those whose fee differs. */
    compared: z.int(),
    changed: z.int(),
    /** Listings of which a fee cannot be told: clothes, without measures or price, or without a card. */
    unknown: z.int(),
    /** All monthly differences together; null where units or amounts are not known to the caller. */
    sum: Money.nullable(),
    currency: Currency,
  }),
});
