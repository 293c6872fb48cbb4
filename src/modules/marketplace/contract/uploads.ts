import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, OptionalText, States, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { MARKETPLACES } from './marketplaces.ts';

/** Rows up to which a load can be undone, and for how many days. */
export const UNDO_ROWS = 50_000;
export const UNDO_DAYS = 30;

/** Report type of a seller's own order list, read through a column mapping. */
export const ORDER_LIST = 'ORDER_LIST';

const STATES = {
  /** Not all of it can be read yet: an order list that needs a mapping, or has bad lines. */
  uploaded: { title: '待处理', tone: 'waiting' },
  checked: { title: '预检通过', tone: 'waiting' },
  loaded: { title: '已入库', tone: 'done' },
  rejected: { title: '已拒绝', tone: 'off' },
  reverted: { title: '已撤销', tone: 'off' },
} as const;
export const UploadState = States(STATES);
export type UploadState = z.infer<typeof UploadState>;

const PERMISSION = 'amz:report:import';

/** A file that a person brings: nothing of it counts before it is committed, all of it counts then. */
export const reportUpload = documentType({
  name: 'reportUpload',
  title: '报表上传',
  number: 'UP{yyMMdd}{seq:4}',
  detail: '/amazon/reportUpload',
  states: STATES,
  initial: 'uploaded',
  transitions: {
    check: { title: '预检', from: ['uploaded', 'checked'], to: 'checked', permission: PERMISSION, internal: true },
    commit: {
      title: '确认入库',
      from: ['checked'],
      to: 'loaded',
      permission: PERMISSION,
      primary: true,
      consequence: '全部行一次写入，中途失败则全部回退',
    },
    reject: {
      title: '拒绝',
      from: ['uploaded', 'checked'],
      to: 'rejected',
      permission: PERMISSION,
      consequence: '文件不入库，可修改后重新上传',
    },
    revert: {
      title: '撤销入库',
      from: ['loaded'],
      to: 'reverted',
      permission: PERMISSION,
      consequence: '改动的内容恢复为入库前的样子，之后又被其他来源更新的内容保留不动',
    },
  },
});

export const UploadRow = z.object({
  id: Id,
  number: z.string().meta({ title: '批次号', kind: 'code', width: 130, pinned: 'left' }),
  fileName: z.string().meta({ title: '文件', width: 260 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  reportTitle: z.string().meta({ title: '报表类型', width: 190 }),
  reportType: z.string().meta({ title: '报表代码', kind: 'code', width: 330, optional: true }),
  state: UploadState.meta({ width: 100 }),
  rows: z.int().nullable().meta({ title: '行数', kind: 'integer', width: 90 }),
  badRows: z.int().meta({ title: '错误行', kind: 'integer', width: 80 }),
  /** "2026-01-01 至 2026-01-15". */
  period: z.string().nullable().meta({ title: '期间', width: 216 }),
  inserted: z.int().nullable().meta({ title: '新增', kind: 'integer', width: 80 }),
  updated: z.int().nullable().meta({ title: '更新', kind: 'integer', width: 80 }),
  unchanged: z.int().nullable().meta({ title: '未变化', kind: 'integer', width: 80 }),
  createdByName: z.string().nullable().meta({ title: '上传人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '上传时间', width: 130 }),
  loadedAt: Instant.nullable().meta({ title: '入库时间', width: 130 }),
  error: z.string().nullable().meta({ title: '失败原因', width: 260 }),
  size: z.int().meta({ title: '大小（字节）', kind: 'integer', width: 110, optional: true }),
});
export type UploadRow = z.infer<typeof UploadRow>;

export const UploadFilter = z.object({
  state: z.array(UploadState).meta({ title: '状态' }),
  reportType: z.array(z.string().max(80)).max(50).meta({ title: '报表类型' }),
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '上传日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '批次号、文件名' }),
});

/** One line of an order list that cannot be taken over. */
export const BadRow = z.object({
  line: z.int().meta({ title: '行号', kind: 'integer', width: 80 }),
  column: z.string().meta({ title: '列', width: 160 }),
  value: z.string().meta({ title: '当前值', width: 220 }),
  reason: z.string().meta({ title: '问题', width: 360 }),
});
export type BadRow = z.infer<typeof BadRow>;

/** What the check found, as it is kept with the batch. `badRows` holds the first 200. */
export const CheckResult = z.object({
  rows: z.int(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  summary: z.string(),
  warnings: z.array(z.string()),
  badRows: z.array(BadRow),
  badCount: z.int(),
});
export type CheckResult = z.infer<typeof CheckResult>;

const DayOrder = z.enum(['day-first', 'month-first']).meta({ title: '日期顺序' });
const marketplaceIds = MARKETPLACES.map((one) => one.id) as [string, ...string[]];

/** How the values of an order list are to be read where the file does not prove it. */
export const MappingOptions = z.object({
  dayOrder: DayOrder.nullish(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, '币种应为三位大写字母')
    .nullish()
    .meta({ title: '币种' }),
  /** IANA zone of dates that state none. */
  timeZone: z
    .string()
    .max(60)
    .refine((zone) => isZone(zone), '时区无效')
    .nullish()
    .meta({ title: '时区' }),
  marketplaceId: z.enum(marketplaceIds).nullish().meta({ title: '站点' }),
});
export type MappingOptions = z.infer<typeof MappingOptions>;

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

const header = z.string().min(1).max(300).nullish();
/** Header of the file per field; a field without a column is null or left out. */
export const OrderListMapping = z.object({
  orderNumber: header.meta({ title: '订单号' }),
  date: header.meta({ title: '下单日期' }),
  sku: header.meta({ title: 'SKU' }),
  asin: header.meta({ title: 'ASIN' }),
  quantity: header.meta({ title: '数量' }),
  amount: header.meta({ title: '金额' }),
  currency: header.meta({ title: '币种' }),
  status: header.meta({ title: '订单状态' }),
  country: header.meta({ title: '国家' }),
  state: header.meta({ title: '省/州' }),
  postalCode: header.meta({ title: '邮编' }),
  channel: header.meta({ title: '销售渠道' }),
});
export type OrderListMapping = z.infer<typeof OrderListMapping>;

export const UploadDetail = UploadRow.extend({
  authid: Id,
  marketplaceId: z.string().nullable(),
  version: z.int(),
  fileId: Id,
  check: CheckResult.nullable(),
  taskId: Id.nullable(),
  /** What undoing it would do, or did; null where there is nothing to undo. */
  undoNote: z.string().nullable(),
  actions: z.array(OfferedAction),
  timeline: z.array(TimelineEntry),
});
export type UploadDetail = z.infer<typeof UploadDetail>;

const report = '/amazon/api/v1/report';
const upload = `${report}/upload` as const;
const params = z.object({ id: Id });

export const reportTypeList = endpoint({
  title: '可上传的报表类型',
  method: 'GET',
  path: `${report}/reportTypeList`,
  permission: 'amz:report:view',
  reply: z.array(z.object({ value: z.string(), label: z.string() })),
});

/** `amazonauthid` is "marketplaceId-authid", or the authorisation alone for a report of all its sites. */
export const uploadReportFile = endpoint({
  title: '上传报表',
  method: 'POST',
  path: `${report}/uploadReportFile`,
  permission: PERMISSION,
  upload: true,
  body: z.object({
    amazonauthid: z
      .string({ error: '请选择店铺' })
      .regex(/^([A-Z0-9]{8,20}-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, '请选择店铺')
      .meta({ title: '店铺' }),
    requesttype: z.string().max(80).optional().meta({ title: '报表类型' }),
  }),
  reply: z.object({
    /** The batch; null where the same bytes came by synchronisation. */
    id: Id.nullable(),
    number: z.string().nullable(),
    state: UploadState.nullable(),
    /** The same bytes were there before: nothing has changed. */
    duplicate: z.boolean(),
    message: z.string(),
  }),
});

export const uploadList = endpoint({
  title: '上传批次列表',
  method: 'POST',
  path: `${upload}/list`,
  permission: 'amz:report:view',
  access: 'read',
  body: PageQuery(UploadFilter),
  sortable: ['number', 'rows', 'badRows', 'createdAt', 'loadedAt', 'size'],
  reply: Page(UploadRow),
});

export const uploadCounts = endpoint({
  title: '上传批次数量',
  method: 'POST',
  path: `${upload}/statusCounts`,
  permission: 'amz:report:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: UploadFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const uploadDetail = endpoint({
  title: '上传批次详情',
  method: 'GET',
  path: `${upload}/detail/:id`,
  permission: 'amz:report:view',
  concurrent: true,
  params,
  reply: UploadDetail,
});

export const uploadErrors = endpoint({
  title: '下载错误行',
  method: 'GET',
  path: `${upload}/errors/:id`,
  permission: 'amz:report:view',
  params,
  file: true,
  reply: z.unknown(),
});

export const commitUpload = endpoint({
  title: '确认入库',
  method: 'POST',
  path: `${upload}/commit/:id`,
  permission: PERMISSION,
  params,
  reply: z.object({
    id: Id,
    state: UploadState,
    /** Set where the file is large and loads in the background. */
    taskId: Id.nullable(),
    rows: z.int().nullable(),
    inserted: z.int().nullable(),
    updated: z.int().nullable(),
    unchanged: z.int().nullable(),
  }),
});

export const rejectUpload = endpoint({
  title: '拒绝上传批次',
  method: 'POST',
  path: `${upload}/reject/:id`,
  permission: PERMISSION,
  params,
  body: z.object({ reason: OptionalText(200, '原因'), version: z.int().optional() }).optional(),
  reply: z.literal('success'),
});

export const revertUpload = endpoint({
  title: '撤销上传批次',
  method: 'POST',
  path: `${upload}/revert/:id`,
  permission: PERMISSION,
  params,
  body: z.object({ reason: OptionalText(200, '原因'), version: z.int().optional() }).optional(),
  reply: z.literal('success'),
});

export const readMapping = endpoint({
  title: '订单列表的列映射',
  method: 'GET',
  path: `${upload}/mapping`,
  permission: 'amz:report:view',
  concurrent: true,
  query: params,
  reply: z.object({
    headers: z.array(z.string()),
    /** The first rows of the file, for the eye. */
    sample: z.array(z.array(z.string())),
    mapping: OrderListMapping,
    options: MappingOptions,
    /** The mapping comes from an earlier file of the same form. */
    remembered: z.boolean(),
  }),
});

export const saveMapping = endpoint({
  title: '保存列映射并预检',
  method: 'POST',
  path: `${upload}/mapping`,
  permission: PERMISSION,
  body: z.object({ id: Id, mapping: OrderListMapping, options: MappingOptions.default({}) }),
  reply: z.object({ id: Id, state: UploadState, error: z.string().nullable() }),
});
