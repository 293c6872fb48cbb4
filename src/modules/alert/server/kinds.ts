import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { coverSelect, fallsSelect } from '#modules/analysis/server/index.ts';
import { strandedSelect, surchargesSelect } from '#modules/inventory/server/index.ts';
import { blockedSelect, standingsSelect } from '#modules/listing/server/index.ts';

/** A listing with the figure that a kind of alert watches. */
export interface Subject {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  figure: string;
  words: string;
}

/** Something that is worth telling of a listing. */
export interface AlertKind {
  code: string;
  title: string;
  /** Of the figure and the threshold. */
  unit: string;
  /** Figures at or below the threshold are bad; else those at or above it. */
  below?: boolean;
  /** Where nobody set another one. */
  threshold: string;
  /** How far beyond the threshold a figure has to come back until the alert closes, as a share of the threshold. */
  slack: string;
  /** SELECT of Subject, one row per listing at most: all that is known now. What it does not name is well. */
  subjects: (ctx: Ctx) => RawBuilder<Subject>;
  /** Screen where the listing's trouble is mended. */
  path: (sku: string) => string;
}

/** Where modules above declare further kinds. */
export const alertKinds = extensionPoint<AlertKind>('alert.kinds');

const at = (path: string, key: string) => (sku: string) => `${path}?f.${key}=${encodeURIComponent(sku)}`;

export const usualKinds: readonly AlertKind[] = [
  {
    code: 'BUYBOX_LOST',
    title: '失去购物车',
    unit: '个卖家',
    threshold: '1',
    slack: '0',
    subjects: (ctx) => sql`
      SELECT account_id, marketplace_id, seller_sku, 1::numeric AS figure, coalesce('购物车卖家 ' || featured_seller, '无购物车') AS words
        FROM (${standingsSelect(ctx)}) AS s WHERE NOT own_featured`,
    path: at('/amazon/sale/priceadjust', 'keyword'),
  },
  {
    code: 'BLOCKED',
    title: '商品被抑制/不可售',
    unit: '个问题',
    threshold: '1',
    slack: '0',
    subjects: (ctx) => sql`
      SELECT account_id, marketplace_id, seller_sku, greatest(1, errors)::numeric AS figure, words FROM (${blockedSelect(ctx)}) AS b`,
    path: at('/amazon/listing/issues', 'keyword'),
  },
  {
    code: 'RIVAL_PRICE',
    title: '竞品低价',
    unit: '%',
    threshold: '5',
    slack: '0.1',
    subjects: (ctx) => sql`
      SELECT account_id, marketplace_id, seller_sku, round((own_price - lowest_price) * 100 / own_price, 4) AS figure,
             '最低到手价 ' || trim_scale(lowest_price)::text || '，我方 ' || trim_scale(own_price)::text AS words
        FROM (${standingsSelect(ctx)}) AS s WHERE own_price > 0 AND lowest_price < own_price`,
    path: at('/amazon/sale/priceadjust', 'keyword'),
  },
  {
    code: 'RANK_FALL',
    title: '排名下跌',
    unit: '%',
    threshold: '30',
    slack: '0.1',
    subjects: (ctx) => sql`
      SELECT account_id, marketplace_id, seller_sku, percent AS figure,
             '比7天前，现在' || concat_ws('、', '小类第 ' || class_rank, '大类第 ' || group_rank) AS words
        FROM (${fallsSelect(ctx)}) AS f`,
    path: at('/amazon/sales/rank', 'keyword'),
  },
  {
    code: 'STRANDED',
    title: '无在售库存',
    unit: '件',
    threshold: '1',
    slack: '0',
    subjects: strandedSelect,
    path: at('/amazon/inventory/stranded', 'keyword'),
  },
  {
    code: 'SURCHARGE',
    title: '库龄附加费',
    unit: '站点币种',
    threshold: '10',
    slack: '0.1',
    subjects: surchargesSelect,
    path: at('/amazon/inventory/planning', 'keyword'),
  },
  {
    code: 'COVER',
    title: '断货风险',
    unit: '天',
    below: true,
    threshold: '14',
    slack: '0.1',
    subjects: (ctx) => sql`
      SELECT account_id, marketplace_id, seller_sku, cover_days AS figure,
             CASE WHEN inbound > 0 THEN '在途 ' || inbound || ' 件' ELSE '没有在途' END AS words FROM (${coverSelect(ctx)}) AS c`,
    path: at('/amazon/sale/listing', 'keyword'),
  },
];

/** Every kind that modules declare, by code. */
export function kindsOf(ctx: Pick<Ctx, 'runtime'>): Map<string, AlertKind> {
  return new Map(extensionsOf(ctx.runtime.modules, alertKinds).map((kind) => [kind.code, kind]));
}
