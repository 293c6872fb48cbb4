import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Text } from '#kit/contract/field.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, Country, EDIT, VIEW } from './fields.ts';

/** A pattern of numbers: it must name country and year, or two series would meet in one number. */
const Pattern = (title: string) =>
  z
    .string()
    .trim()
    .max(40, `${title}不能超过40个字符`)
    .regex(
      /^[A-Za-z0-9/_-]*(\{(country|yyyy|yy|seq:\d)\}[A-Za-z0-9/_-]*)+$/,
      `${title}只含字母、数字、/、-、_ 和占位符`,
    )
    .refine((text) => text.includes('{country}'), `${title}须含 {country}`)
    .refine((text) => /\{yyyy\}|\{yy\}/.test(text), `${title}须含 {yyyy} 或 {yy}`)
    .refine((text) => (text.match(/\{seq:\d\}/g) ?? []).length === 1, `${title}须含一个 {seq:位数}`)
    .meta({ title, tip: '{country} 国家，{yyyy} 年，{seq:5} 五位流水号' });

export const Registration = z.object({
  country: Country,
  number: z.string().trim().min(1, '请填写VAT号').max(20).meta({ title: 'VAT号' }),
});
export type Registration = z.infer<typeof Registration>;

export const EntityInput = z.object({
  name: Text(120, '公司名称'),
  address: Text(400, '地址').meta({ title: '地址', tip: '按信封格式分行填写，用英文或当地语言' }),
  ossCountry: Country.nullable().default(null).meta({ title: 'OSS注册国', tip: '空为没有OSS注册' }),
  invoicePattern: Pattern('发票号规则'),
  creditPattern: Pattern('红字发票号规则'),
  numbers: z.array(Registration).max(12).default([]).meta({ title: 'VAT号' }),
});

export const Entity = z.object({
  id: Id,
  name: z.string(),
  address: z.string(),
  ossCountry: Country.nullable(),
  invoicePattern: z.string(),
  creditPattern: z.string(),
  numbers: z.array(Registration),
  /** A data: address of a PNG. */
  logo: z.string().nullable(),
  version: z.int(),
});
export type Entity = z.infer<typeof Entity>;

export const SiteSetting = z.object({
  site: Site.meta({ title: '店铺/站点' }),
  name: z.string(),
  entityId: Id.nullable().meta({ title: '开票主体', hidden: false }),
  auto: z.boolean().meta({ title: '自动开票并上传' }),
});
export type SiteSetting = z.infer<typeof SiteSetting>;

export const RateRow = z.object({
  country: Country,
  rate: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, '请输入正确的税率')
    .meta({ title: '税率%' }),
  validFrom: Day.meta({ title: '生效日' }),
});
export type RateRow = z.infer<typeof RateRow>;

/** Numbers that a series has given out. */
export const SeriesRow = z.object({
  entity: z.string(),
  country: z.string(),
  type: z.enum(['INVOICE', 'CREDIT_NOTE']),
  year: z.int(),
  pattern: z.string(),
  last: z.int(),
});
export type SeriesRow = z.infer<typeof SeriesRow>;

export const readSettings = endpoint({
  title: 'VAT发票设置',
  method: 'GET',
  path: `${base}/settings`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({
    entities: z.array(Entity),
    sites: z.array(SiteSetting),
    rates: z.array(RateRow),
    series: z.array(SeriesRow),
  }),
});

/** Makes an entity, or changes one: a series that has begun keeps its pattern, documents that exist keep what they say. */
export const saveEntity = endpoint({
  title: '保存VAT开票主体',
  method: 'POST',
  path: `${base}/settings/entity`,
  permission: EDIT,
  body: EntityInput.extend({ id: Id.optional(), version: z.int().default(0).meta({ title: '版本', hidden: true }) }),
  reply: z.object({ id: Id, version: z.int() }),
});

const OfEntity = z.object({ id: Id, version: z.coerce.number().int().meta({ title: '版本', hidden: true }) });

/** Takes a picture of at most 2 MB, which stands on documents that are issued from now on. */
export const saveLogo = endpoint({
  title: '上传VAT开票主体Logo',
  method: 'POST',
  path: `${base}/settings/entity/logo`,
  permission: EDIT,
  upload: true,
  body: OfEntity,
  reply: z.object({ version: z.int() }),
});

export const removeLogo = endpoint({
  title: '移除VAT开票主体Logo',
  method: 'POST',
  path: `${base}/settings/entity/logo/remove`,
  permission: EDIT,
  body: OfEntity,
  reply: z.object({ version: z.int() }),
});

export const saveSites = endpoint({
  title: '保存VAT开票站点',
  method: 'POST',
  path: `${base}/settings/sites`,
  permission: EDIT,
  body: z.object({
    sites: z
      .array(SiteSetting.omit({ name: true }))
      .min(1, '请选择站点')
      .max(500)
      .meta({ title: '站点' }),
  }),
  reply: z.literal('success'),
});

/** Adds rates that hold from a day on; earlier ones stay. */
export const saveRates = endpoint({
  title: '保存VAT税率',
  method: 'POST',
  path: `${base}/settings/rates`,
  permission: EDIT,
  body: z.object({ rates: z.array(RateRow).min(1, '请填写税率').max(100).meta({ title: '税率' }) }),
  reply: z.literal('success'),
});
