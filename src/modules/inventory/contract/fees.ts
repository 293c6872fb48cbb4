import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { Decimal, Money, OptionalText } from '#kit/contract/field.ts';
import { AMOUNTS, code, comparedOf, comparing, goods, goodsFilter, listOf, pieces } from './facts.ts';

const price = (title: string) => Money.meta({ title, currency: 'currency', permission: AMOUNTS, width: 110 });
const amount = (title: string) => price(title).nullable();
const size = (title: string) => Decimal.nullable().meta({ title, width: 90 });
const currency = z.string().meta({ title: '币种', hidden: true });
const tier = z.string().meta({ title: '尺寸分段', width: 150 });

export const StorageRow = z.object({
  ...goods,
  centre: code('仓库', 84),
  country: code('国家', 70),
  sizeTier: tier,
  average: Decimal.meta({ title: '日均库存', width: 96, tip: '当月每日平均件数' }),
  averageRemoval: size('日均待移除').meta({ optional: true }),
  volume: size('单件体积'),
  totalVolume: size('总体积'),
  volumeUnit: z.string().meta({ title: '体积单位', width: 90 }),
  baseRate: amount('基本费率'),
  surchargeRate: amount('利用率附加费率').meta({ optional: true }),
  storageFee: amount('仓储费'),
  incentive: amount('仓储奖励').meta({ optional: true }),
  currency,
  fnsku: code('FNSKU', 120),
});
export type StorageRow = z.infer<typeof StorageRow>;

export const FeeFilter = z.object({ ...goodsFilter, sizeTier: OptionalText(60, '尺寸分段').meta({ optional: true }) });
const AnyFeeFilter = FeeFilter.partial();
export type FeeFilter = z.infer<typeof AnyFeeFilter>;

export const StorageFilter = z.object({ view: comparing.view, ...FeeFilter.shape });
const AnyStorageFilter = StorageFilter.partial();
export type StorageFilter = z.infer<typeof AnyStorageFilter>;

export const storageFees = listOf({
  title: 'FBA仓储费',
  path: '/amazon/api/v1/inventory/storageFee',
  row: StorageRow,
  filter: StorageFilter,
  sortable: ['day', 'product', 'average', 'totalVolume', 'storageFee'],
});

/** A product's storage of some months beside that of others; the fee of a month and piece is Σfees ÷ Σpieces. */
export const StorageSumRow = z.object({
  id: goods.id,
  product: goods.product,
  store: goods.store,
  fnsku: code('FNSKU', 120),
  ...compared('storageFee', price('仓储费')),
  ...compared(
    'average',
    Decimal.meta({ title: '日均库存合计', width: 110, tip: '各月各仓日均库存之和（件·月）' }),
    110,
  ),
  ...compared('perPiece', price('每件每月').meta({ tip: 'Σ仓储费 ÷ Σ日均库存' })),
  currency,
});
export type StorageSumRow = z.infer<typeof StorageSumRow>;

export const StorageSumFilter = z.object({ ...StorageFilter.shape, ...comparing });
const AnyStorageSumFilter = StorageSumFilter.partial();
export type StorageSumFilter = z.infer<typeof AnyStorageSumFilter>;

export const storageSums = comparedOf({
  title: '仓储费汇总对比',
  path: '/amazon/api/v1/inventory/storageSum',
  row: StorageSumRow,
  filter: StorageSumFilter,
});

export const AgedRow = z.object({
  ...goods,
  tier: z.string().meta({ title: '库龄档位', width: 140 }),
  quantity: pieces('计费数量', 90),
  volume: size('单件体积'),
  volumeUnit: z.string().meta({ title: '体积单位', width: 90 }),
  agedRate: amount('附加费率'),
  agedFee: amount('超龄附加费'),
  currency,
  country: code('国家', 70),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type AgedRow = z.infer<typeof AgedRow>;

export const AgedFilter = z.object(goodsFilter);
const AnyAgedFilter = AgedFilter.partial();
export type AgedFilter = z.infer<typeof AnyAgedFilter>;

export const agedFees = listOf({
  title: '超龄库存附加费',
  path: '/amazon/api/v1/inventory/agedFee',
  row: AgedRow,
  filter: AgedFilter,
  sortable: ['day', 'product', 'quantity', 'agedFee'],
});

export const FeePreviewRow = z.object({
  ...goods,
  feePrice: amount('报告售价'),
  longest: size('最长边'),
  median: size('次长边'),
  shortest: size('最短边'),
  lengthUnit: z.string().meta({ title: '长度单位', width: 90 }),
  weight: size('包装重量'),
  weightUnit: z.string().meta({ title: '重量单位', width: 90 }),
  sizeTier: tier,
  fulfilment: amount('配送费'),
  referral: amount('销售佣金'),
  feeTotal: amount('预估费用合计'),
  currency,
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type FeePreviewRow = z.infer<typeof FeePreviewRow>;

export const feePreviews = listOf({
  title: 'FBA费用预览',
  path: '/amazon/api/v1/inventory/fbaFee',
  row: FeePreviewRow,
  filter: FeeFilter,
  sortable: ['day', 'product', 'weight', 'fulfilment', 'referral', 'feeTotal'],
});

export const OverageRow = z.object({
  id: goods.id,
  day: goods.day.meta({ title: '计费日期' }),
  store: goods.store,
  country: code('国家', 70),
  storageType: z.string().meta({ title: '存储类型', width: 130 }),
  usage: size('已用容量'),
  volumeLimit: size('容量上限'),
  overage: size('超出容量'),
  volumeUnit: z.string().meta({ title: '体积单位', width: 90 }),
  overageRate: amount('月费率'),
  overageFee: amount('超量仓储费'),
  currency,
});
export type OverageRow = z.infer<typeof OverageRow>;

export const OverageFilter = z.object({
  dates: goodsFilter.dates,
  sites: goodsFilter.sites,
  storageType: OptionalText(60, '存储类型'),
});
const AnyOverageFilter = OverageFilter.partial();
export type OverageFilter = z.infer<typeof AnyOverageFilter>;

export const overageFees = listOf({
  title: '超量仓储费',
  path: '/amazon/api/v1/inventory/overageFee',
  row: OverageRow,
  filter: OverageFilter,
  sortable: ['day', 'usage', 'overage', 'overageFee'],
});
