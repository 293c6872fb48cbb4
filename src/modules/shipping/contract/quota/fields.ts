import { z } from 'zod';
import { Choice, Decimal, Id, Instant, Money, Rate, States, Store } from '#kit/contract/field.ts';
import { Words } from '../fields.ts';
import { Amount, Measure } from '../transport/fields.ts';

export const QUOTA_VIEW = 'amz:quota:view';
export const QUOTA_EDIT = 'amz:quota:edit';
export const QUOTA_APPLY = 'amz:quota:apply';
export const QUOTA_EXPORT = 'amz:quota:export';

/** Amazon gives room for each of these by itself. */
export const StorageType = Choice(
  {
    STANDARD: '标准件',
    OVERSIZE: '大件',
    EXTRA_LARGE: '特大件',
    APPAREL: '服装',
    FOOTWEAR: '鞋靴',
    FLAMMABLE: '易燃危险品',
    AEROSOL: '喷雾危险品',
  },
  '仓储类型',
);
export type StorageType = z.infer<typeof StorageType>;

/** What room is measured in: the United States in cubic feet, the others in cubic metres. */
export const RoomUnit = Choice({ M3: 'm³', FT3: 'ft³' }, '单位');
export type RoomUnit = z.infer<typeof RoomUnit>;

/** Unit in which Amazon states the room of a site, by its country. */
export const unitOf = (country: string): RoomUnit => (country === 'US' ? 'FT3' : 'M3');

/** tight: nine tenths are taken. past: the month is over, nobody knows any more what lay there. */
export const RoomState = States(
  {
    ok: { title: '充足', tone: 'done' },
    tight: { title: '紧张', tone: 'waiting' },
    over: { title: '超限', tone: 'trouble' },
    past: { title: '已过', tone: 'off' },
  },
  '仓容状态',
);
export type RoomState = z.infer<typeof RoomState>;

/** From 2026-01. */
export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式应为 2026-01');

const Volume = Decimal.nullable();
const NOW = '按现在的库存、在途和未发出的发货单计算；已过的月份不显示';

/** Room of a store in a stock for a type and a month. Volumes in m³ and ft³ with two places. */
export const QuotaRow = z.object({
  id: Id,
  store: Store.meta({ title: '店铺', kind: 'store', width: 160, pinned: 'left' }),
  storageType: StorageType.meta({ width: 100 }),
  month: Month.meta({ title: '月份', kind: 'month', width: 90 }),
  state: RoomState.meta({ width: 90 }),
  room: Decimal.meta({ title: '额度(m³)', width: 100, tip: '录入的额度加上申请获批的额度' }),
  roomFt: Decimal.meta({ title: '额度(ft³)', width: 100 }),
  granted: Decimal.meta({ title: '其中获批(m³)', width: 110, optional: true }),
  onHand: Volume.meta({ title: '在库(m³)', width: 100, tip: '亚马逊在库数量×产品包装体积' }),
  transit: Volume.meta({ title: '在途(m³)', width: 100, tip: '已发出未接收，含没有发货单的货件' }),
  waiting: Volume.meta({ title: '待发(m³)', width: 100, tip: '未发出的发货单' }),
  used: Volume.meta({ title: '已占用(m³)', width: 110, tip: NOW }),
  usedFt: Volume.meta({ title: '已占用(ft³)', width: 110 }),
  free: Volume.meta({ title: '剩余(m³)', width: 100, tip: '额度减已占用；为负时超限' }),
  freeFt: Volume.meta({ title: '剩余(ft³)', width: 100 }),
  share: Rate.nullable().meta({ title: '占用率', width: 90 }),
  unmeasured: z
    .int()
    .nullable()
    .meta({ title: '缺尺寸件数', kind: 'integer', width: 100, tip: '没有关联产品或产品没有尺寸，未计入已占用' }),
  open: z.int().meta({ title: '待处理申请', kind: 'integer', width: 100 }),
  /** As entered, in `unit`. */
  entered: Decimal.meta({ title: '录入额度', width: 100, optional: true }),
  unit: RoomUnit.meta({ width: 70, optional: true }),
  currency: z.string(),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  updatedByName: z.string().meta({ title: '修改人', kind: 'person', width: 100 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  accountId: Id,
  marketplaceId: z.string(),
  version: z.int(),
});
export type QuotaRow = z.infer<typeof QuotaRow>;

export const QuotaFilter = z.object({
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  storageType: z.array(StorageType).max(10).meta({ title: '仓储类型' }),
  month: Month.meta({ title: '月份', kind: 'month' }),
});
const AnyFilter = QuotaFilter.partial();
export type QuotaFilter = z.infer<typeof AnyFilter>;

export const QuotaForm = z.object({
  authid: z.uuid('请选择店铺').meta({ title: '店铺' }),
  marketplaceId: z.string().trim().min(1, '请选择站点').max(20).meta({ title: '站点' }),
  storageType: StorageType,
  month: Month.meta({ title: '月份', kind: 'code' }),
  room: Measure('额度').meta({ title: '额度' }),
  unit: RoomUnit,
  remark: Words(200, '备注').meta({ title: '备注' }),
});
export type QuotaForm = z.infer<typeof QuotaForm>;

export const RequestState = States({
  pending: { title: '待处理', tone: 'waiting' },
  approved: { title: '已批准', tone: 'done' },
  rejected: { title: '已驳回', tone: 'off' },
});
export type RequestState = z.infer<typeof RequestState>;

/** 申请额度; volumes in the unit of the quota. */
export const RequestRow = z.object({
  id: Id,
  state: RequestState.meta({ width: 90 }),
  wanted: Decimal.meta({ title: '申请额度', width: 100 }),
  granted: Decimal.nullable().meta({ title: '获批额度', width: 100 }),
  unit: RoomUnit.meta({ width: 70 }),
  fee: Money.meta({ title: '预留费', currency: 'currency', width: 110 }),
  currency: z.string(),
  remark: z.string().meta({ title: '备注', width: 140 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
  decidedByName: z.string().nullable().meta({ title: '处理人', kind: 'person', width: 100 }),
  decidedAt: Instant.nullable().meta({ title: '处理时间', width: 130 }),
  version: z.int(),
});
export type RequestRow = z.infer<typeof RequestRow>;

const More = (title: string) =>
  Measure(title)
    .refine((text) => /[1-9]/.test(text), `${title}须大于0`)
    .meta({ title });

export const RequestForm = z.object({
  wanted: More('申请额度'),
  fee: Amount('预留费').meta({ title: '预留费' }),
  remark: Words(200, '备注').meta({ title: '备注' }),
});
export type RequestForm = z.infer<typeof RequestForm>;

/** What Amazon answered; it may grant less than was asked for. */
export const DecideForm = z.object({
  state: RequestState.exclude(['pending']).meta({
    title: '结果',
    kind: 'state',
    states: { approved: { title: '已批准', tone: 'done' }, rejected: { title: '已驳回', tone: 'off' } },
  }),
  granted: More('获批额度').nullable().default(null).meta({ title: '获批额度', kind: 'rate', tip: '留空为全部批准' }),
});
export type DecideForm = z.infer<typeof DecideForm>;
