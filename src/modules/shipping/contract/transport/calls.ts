import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, Transport } from '../fields.ts';
import { CarrierFilter, CarrierForm, CarrierRow, ChannelInput } from './carrier.ts';
import { Comparison, QuoteRow, Sending } from './compare.ts';
import { base, TRANS_EDIT, TRANS_IMPORT, TRANS_VIEW } from './fields.ts';
import { CardInput, CardRow, ChannelRow } from './price.ts';

const at = <const S extends string>(part: S) => `${base}/${part}` as const;

export const listCarriers = endpoint({
  title: '物流商列表',
  method: 'POST',
  path: at('list'),
  permission: TRANS_VIEW,
  access: 'read',
  body: PageQuery(CarrierFilter),
  sortable: ['name', 'code', 'updatedAt'],
  reply: Page(CarrierRow),
});

export const countCarriers = endpoint({
  title: '物流商各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: TRANS_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: CarrierFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportCarriers = endpoint({
  title: '导出物流商',
  method: 'POST',
  path: at('export'),
  permission: TRANS_VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(CarrierFilter),
  reply: z.unknown(),
});

export const carrierDetail = endpoint({
  title: '物流商详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: TRANS_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    row: CarrierRow,
    form: CarrierForm,
    channels: z.array(ChannelRow),
  }),
});

/** Without `id` a new one. Channels that are not named stay as they are; one that is over is disabled, never dropped. */
export const saveCarrier = endpoint({
  title: '保存物流商',
  method: 'POST',
  path: at('save'),
  permission: TRANS_EDIT,
  body: CarrierForm.extend({
    id: z.uuid().optional().meta({ title: '物流商', hidden: true }),
    version: z.int().optional().meta({ title: '版本', hidden: true }),
    channels: z.array(ChannelInput).max(200, '渠道不能超过200个').default([]).meta({ title: '渠道' }),
  }),
  reply: z.object({ id: Id, version: z.int() }),
});

/** Channels that can be used, for forms and filters. */
export const listChannels = endpoint({
  title: '物流渠道可选项',
  method: 'GET',
  path: at('channels'),
  permission: TRANS_VIEW,
  concurrent: true,
  reply: z.array(z.object({ id: Id, carrier: z.string(), name: z.string(), mode: Transport, country: z.string() })),
});

/** Suppliers whom a carrier's bills may be paid to. */
export const carrierSuppliers = endpoint({
  title: '结算供应商可选项',
  method: 'GET',
  path: at('suppliers'),
  permission: TRANS_EDIT,
  concurrent: true,
  reply: z.array(z.object({ id: Id, name: z.string() })),
});

export const channelCards = endpoint({
  title: '渠道价卡',
  method: 'GET',
  path: at('priceVersions/:id'),
  permission: TRANS_VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(CardRow),
});

/** Adds a card; from its first day on it takes the place of those before it. The same card twice is one. */
export const addCard = endpoint({
  title: '新增价卡',
  method: 'POST',
  path: at('priceVersion'),
  permission: TRANS_EDIT,
  body: CardInput.extend({ channelId: z.uuid('请选择渠道').meta({ title: '渠道' }) }),
  reply: z.object({ id: Id, seq: z.int(), added: z.boolean() }),
});

const Problem = z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() });

/** Checks a sheet with the price card of one channel; with `write`, and without a single bad line, adds it. */
export const importCard = endpoint({
  title: '导入价卡',
  method: 'POST',
  path: at('import'),
  permission: TRANS_IMPORT,
  upload: true,
  body: z.object({
    channelId: z.uuid('请选择渠道').meta({ title: '渠道' }),
    write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }),
  }),
  reply: z.object({
    rows: z.int(),
    problems: z.array(Problem),
    card: CardInput.nullable(),
    /** Whether the channel has a new card now. */
    added: z.boolean(),
  }),
});
export type CardImport = z.infer<typeof importCard.reply>;

/** The newest card of a channel, or another one of it, as the sheet that the import takes; without any an example. */
export const cardSheet = endpoint({
  title: '下载价卡',
  method: 'GET',
  path: at('priceSheet/:id'),
  permission: TRANS_VIEW,
  file: true,
  params: ById,
  query: z.object({ version: z.uuid().optional().meta({ title: '价卡' }) }),
  reply: z.unknown(),
});

export const compareChannels = endpoint({
  title: '物流比价',
  method: 'POST',
  path: at('compare'),
  permission: TRANS_VIEW,
  access: 'read',
  body: Sending,
  reply: Comparison,
});

export const quoteChannel = endpoint({
  title: '渠道报价',
  method: 'POST',
  path: at('quote'),
  permission: TRANS_VIEW,
  access: 'read',
  body: Sending.extend({ channelId: z.uuid('请选择渠道').meta({ title: '渠道' }) }),
  reply: QuoteRow,
});
