import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Id, Product, Quantity, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, EXPORT, Platform, SalesFilter, VIEW } from './fields.ts';

/** Whether bundles count as what they are made of (the default), or as themselves. */
export const Bundles = Choice({ apart: '含组合拆解', sold: '不含组合拆解' }, '组合产品');
export type Bundles = z.infer<typeof Bundles>;

const units = (title: string, meta: object = {}) => Decimal.meta({ title, width: 76, group: '销量', ...meta });

/** The windows in whole days, and the column of each. */
export const WINDOWS = { u1: 1, u3: 3, u7: 7, u14: 14, u30: 30, u60: 60, u90: 90 } as const;
export const WINDOW_KEYS = ['u1', 'u3', 'u7', 'u14', 'u30', 'u60', 'u90'] as const satisfies (keyof typeof WINDOWS)[];

export const VolumeRow = z.object({
  /** The product. */
  id: Id,
  product: Product.meta({ title: '本地SKU', kind: 'product', width: 250, pinned: 'left' }),
  u1: units('昨日'),
  u3: units('3天'),
  u7: units('7天'),
  u14: units('14天'),
  u30: units('30天'),
  u60: units('60天'),
  u90: units('90天'),
  trend: z.string().meta({ title: '近30天走势', kind: 'text', width: 116, tip: '每天的销量，最右为昨日' }),
  daily: Decimal.meta({ title: '日均', width: 76, good: 'up', tip: '30天销量 ÷ 30' }),
  change: Rate.nullable().meta({
    title: '环比',
    width: 84,
    good: 'up',
    tip: '近30天 ÷ 之前30天 − 1；之前没有销量时留空',
  }),
  mix: z.string().meta({ title: '分平台占比', kind: 'text', width: 190, tip: '近30天' }),
  localStock: Quantity.nullable().meta({
    title: '本地库存',
    group: '库存',
    width: 84,
    tip: '各仓库可用；含组合拆解时计入组合产品所含',
  }),
  amazonStock: Quantity.nullable().meta({
    title: '亚马逊库存',
    group: '库存',
    width: 92,
    tip: '可售；共用库存的站点只计一次',
  }),
  coverDays: Decimal.nullable().meta({
    title: '可用天数',
    group: '库存',
    width: 84,
    tip: '（本地库存 + 亚马逊库存）÷ 日均',
  }),
});
export type VolumeRow = z.infer<typeof VolumeRow>;

export const VolumeFilter = SalesFilter.extend({ bundles: Bundles });
const AnyVolumeFilter = VolumeFilter.partial();
export type VolumeFilter = z.infer<typeof AnyVolumeFilter>;

export const salesVolume = endpoint({
  title: 'ERP销量',
  method: 'POST',
  path: `${base}/volume`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(VolumeFilter),
  sortable: [...WINDOW_KEYS, 'daily', 'change'],
  reply: Page(VolumeRow),
});

export const exportVolume = endpoint({
  title: '导出ERP销量',
  method: 'POST',
  path: `${base}/volume/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(VolumeFilter),
  reply: z.unknown(),
});

/** Units of a product on a day at a platform: sold as such, out of bundles, and what counts by the asked way. */
export const VolumeDay = z.object({
  day: Day.meta({ title: '日期', width: 110 }),
  platform: Platform.meta({ width: 110 }),
  sold: Decimal.meta({ title: '直接销售', width: 96 }),
  parts: Decimal.meta({ title: '组合拆出', width: 96, tip: '组合产品里所含的件数' }),
  units: Decimal.meta({ title: '合计', width: 96 }),
});

/** The last ninety days of a product by platform, days of the shops; days on which nothing was sold are left out. */
export const volumeDays = endpoint({
  title: 'ERP销量明细',
  method: 'GET',
  path: `${base}/volume/days/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  query: z.object({ bundles: Bundles.default('apart') }),
  reply: z.object({ product: Product, isBundle: z.boolean(), from: Day, to: Day, days: z.array(VolumeDay) }),
});
