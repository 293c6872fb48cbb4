import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Decimal, Id, Instant, Money, States } from '#kit/contract/field.ts';
import { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import { CLAIM_EDIT, ClaimState } from './claims.ts';
import { AMOUNTS, code, comparing, figureOf, goods, goodsFilter, listOf, pieces, RowKey } from './facts.ts';

/** Why the fee by our own measurement cannot be told or compared. */
export const FeeGap = Choice(
  {
    NO_FEE: '亚马逊未给出配送费',
    NO_MATCH: '未配对本地产品',
    BUNDLE: '组合或多件配对',
    NO_MEASURE: '产品缺带包装的尺寸或重量',
    NO_CARD: '没有该站点当日的费率卡',
    NO_PRICE: '报告未给售价',
    APPAREL: '服装另有费率',
    OVERMAX: '超长件另收附加费',
    CURRENCY: '币种与费率卡不同',
  },
  '无法比较的原因',
);
export type FeeGap = z.infer<typeof FeeGap>;

/** Amazon's fee beside our own. */
export const FeeVerdict = States(
  {
    OVER: { title: '超收', tone: 'trouble' },
    HIGHER: { title: '高于自测', tone: 'waiting' },
    LOWER: { title: '低于自测', tone: 'off' },
    EQUAL: { title: '一致', tone: 'done' },
    NONE: { title: '无法比较', tone: 'off' },
  },
  '结论',
);
export type FeeVerdict = z.infer<typeof FeeVerdict>;

/** What was charged per piece beside Amazon's own preview. */
export const ChargedVerdict = States(
  {
    MORE: { title: '高于预估', tone: 'waiting' },
    LESS: { title: '低于预估', tone: 'off' },
    SAME: { title: '一致', tone: 'done' },
  },
  '实收与预估',
);
export type ChargedVerdict = z.infer<typeof ChargedVerdict>;

/** Views over the list; what is overcharged is higher as well. */
export const FeeAuditTab = States(
  {
    over: { title: '仅超收', tone: 'trouble' },
    higher: { title: '大于', tone: 'waiting' },
    lower: { title: '小于', tone: 'off' },
    equal: { title: '等于', tone: 'done' },
    none: { title: '无法比较', tone: 'off' },
    charged: { title: '实收高于预估', tone: 'waiting' },
  },
  '亚马逊费用与自测',
);
export type FeeAuditTab = z.infer<typeof FeeAuditTab>;

const amount = (title: string, width = 96) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width });
const amazon = '亚马逊';
const own = '自测';
const charging = '近30天实收';
const sides = (group: string) => z.string().nullable().meta({ title: '尺寸(cm)', width: 150, group });
const weight = (group: string) => Decimal.nullable().meta({ title: '重量(kg)', width: 90, group });

/** The fee of a listing as Amazon reckons it, and by our own measurement of the packed product. */
export const FeeAuditRow = z.object({
  ...goods,
  verdict: FeeVerdict.meta({ width: 90 }),
  amazonSides: sides(amazon),
  amazonWeight: weight(amazon),
  amazonTier: z.string().meta({ title: '尺寸分段', width: 150, group: amazon }),
  amazonFee: amount('FBA费').meta({ group: amazon }),
  ownSides: sides(own),
  ownWeight: weight(own),
  ownTier: FeeTier.nullable().meta({ width: 130, group: own }),
  ownFee: amount('FBA费').meta({ group: own, tip: '按当日费率卡和带包装的尺寸、重量计算' }),
  diff: amount('差额').meta({ tip: '亚马逊 − 自测' }),
  units30: pieces('30日销量', 90).nullable(),
  monthly: amount('月预计超收', 110).meta({ tip: '差额大于0的部分 × 近30日销量' }),
  charged: amount('实收每件', 100).meta({ group: charging, tip: '结算与财务流水中近30天的配送费 ÷ 件数' }),
  chargedDiff: amount('实收 − 预估', 110).meta({
    group: charging,
    tip: '实收每件 − 亚马逊预估的FBA费；期间调价、换费率卡也会造成差异',
  }),
  charging: ChargedVerdict.nullable().meta({ title: '与预估', width: 96, group: charging }),
  chargedUnits: pieces('实收件数', 90).nullable().meta({ group: charging, optional: true }),
  gap: FeeGap.nullable().meta({ width: 170 }),
  claimNumber: code('索赔单号', 140),
  reckonedAt: Instant.meta({ title: '更新时间', width: 130 }),
  cardFee: amount('按亚马逊测量试算', 130).meta({
    optional: true,
    tip: '费率卡 × 亚马逊的尺寸重量；与亚马逊的FBA费不同时，差额不全是测量造成的',
  }),
  ownBillable: Decimal.nullable().meta({ title: '自测计费重(kg)', width: 110, optional: true }),
  card: z.string().meta({ title: '费率卡', width: 130, optional: true }),
  measuredSince: goods.day.meta({
    title: '亚马逊测量起',
    width: 110,
    optional: true,
    tip: '该测量首次出现在报告中的日期',
  }),
  price: amount('报告售价').meta({ optional: true }),
  tolerance: amount('容差').meta({ optional: true }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
  claimId: Id.nullable(),
  claimState: ClaimState.nullable().meta({ title: '索赔状态', width: 90, optional: true }),
});
export type FeeAuditRow = z.infer<typeof FeeAuditRow>;

export const FeeAuditFilter = z.object({
  view: comparing.view,
  tab: FeeAuditTab.meta({ title: '亚马逊费用与自测' }),
  sites: goodsFilter.sites,
  keyword: goodsFilter.keyword,
  gaps: z.array(FeeGap).max(9).meta({ title: '无法比较的原因' }),
  skus: goodsFilter.skus,
});
const AnyFilter = FeeAuditFilter.partial();
export type FeeAuditFilter = z.infer<typeof AnyFilter>;

const base = '/amazon/api/v1/inventory/feeAudit';

export const feeAudit = listOf({
  title: 'FBA费用核对',
  path: base,
  row: FeeAuditRow,
  filter: FeeAuditFilter,
  sortable: ['product', 'amazonFee', 'ownFee', 'diff', 'units30', 'monthly', 'charged', 'chargedDiff'],
});

/** Rows by tab under the other filters, "all" for every row. */
export const countFeeAudit = figureOf(
  'FBA费用核对统计',
  `${base}/counts`,
  FeeAuditFilter,
  z.record(z.string(), z.int()),
);

/** Makes claims for another measurement; one that is there for the same measurement is named, and none is made twice. */
export const askRemeasure = endpoint({
  title: '申请复测',
  method: 'POST',
  path: `${base}/remeasure`,
  permission: CLAIM_EDIT,
  body: z.object({
    ids: z.array(RowKey.min(1)).min(1, '请选择商品').max(200, '一次最多申请200个商品').meta({ title: '商品' }),
  }),
  reply: z.object({
    claims: z.array(z.object({ id: Id, number: z.string(), sku: z.string(), repeated: z.boolean() })),
    message: z.string(),
  }),
});
