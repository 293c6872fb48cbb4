import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, Money, States } from '#kit/contract/field.ts';

export const AdsStatus = States(
  {
    none: { title: '未授权', tone: 'off' },
    active: { title: '已授权', tone: 'done' },
    revoked: { title: '授权失效', tone: 'trouble' },
    disabled: { title: '已停用', tone: 'off' },
  },
  '广告授权',
);
export type AdsStatus = z.infer<typeof AdsStatus>;

export const RegionChoice = Choice({ na: '北美', eu: '欧洲', fe: '远东' }, '区域');

/** One advertiser in one marketplace, as a consent showed it. */
export const AdsProfileRow = z.object({
  /** Up to 2^53, so a number in JSON would do; kept as text like every other key. */
  profileId: z.string().meta({ title: 'Profile ID', kind: 'code', width: 150 }),
  connectionId: Id,
  store: z.string().meta({ title: '店铺', width: 140 }),
  country: z.string().meta({ title: '国家', width: 80 }),
  marketplaceId: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '广告账户', width: 160 }),
  type: z.string().meta({ title: '类型', width: 80 }),
  currency: z.string().meta({ title: '币种', width: 70 }),
  timeZone: z.string().meta({ title: '时区', width: 170 }),
  dailyBudget: Money.nullable().meta({ title: '每日预算', currency: 'currency', width: 120 }),
  /** Whether the advertiser's means of payment is valid; null where Amazon does not say. */
  validPayment: z.boolean().nullable().meta({ title: '付款方式有效', width: 110 }),
  /** The seller account that it advertises for; null until one is authorised. */
  authid: Id.nullable(),
  linked: z.string().nullable().meta({ title: '关联店铺账号', width: 160 }),
  active: z.boolean().meta({ title: '使用中', width: 80 }),
  capturedAt: Instant.meta({ title: '获取时间', width: 130 }),
});
export type AdsProfileRow = z.infer<typeof AdsProfileRow>;

/** Profiles, and how many of the consent belong to another company and were left alone. */
const Captured = z.object({ profiles: z.array(AdsProfileRow), foreign: z.int() });

const advert = '/amazonadv/api/v1/advert';

export const adsBindUrl = endpoint({
  title: '获取广告授权链接',
  method: 'GET',
  path: `${advert}/bindUrl`,
  permission: 'adv:store:authorize',
  access: 'write',
  query: z.object({ groupid: Id.meta({ title: '店铺' }), region: RegionChoice }),
  reply: z.url(),
});

/** Variant A of the result page: code and state, or what the consent page says instead of a code. */
export const adsBind = endpoint({
  title: '广告授权结果',
  method: 'POST',
  path: `${advert}/bindAdvAuthData`,
  permission: 'public',
  body: z.object({
    state: z.string().max(200).meta({ title: '授权状态' }),
    code: z.string().min(1, '缺少授权码').max(1000).meta({ title: '授权码' }),
  }),
  reply: z.object({ id: Id }),
});

export const adsDisable = endpoint({
  title: '停用广告授权',
  method: 'GET',
  path: `${advert}/disableAuth`,
  permission: 'adv:store:delete',
  access: 'write',
  query: z.object({ id: Id.meta({ title: '广告授权' }) }),
  reply: z.literal('success'),
});

export const adsProfiles = endpoint({
  title: '广告配置列表',
  method: 'GET',
  path: `${advert}/loadProfile`,
  permission: 'adv:store:view',
  concurrent: true,
  query: z.object({ id: Id.optional().meta({ title: '广告授权' }), groupid: Id.optional().meta({ title: '店铺' }) }),
  reply: z.array(AdsProfileRow),
});

export const adsCapture = endpoint({
  title: '重新获取广告配置',
  method: 'GET',
  path: `${advert}/captureProfileById`,
  permission: 'adv:store:sync',
  access: 'write',
  query: z.object({ id: Id.meta({ title: '广告授权' }) }),
  reply: Captured,
});

/** Stores with an advertising consent that works, for pickers. */
export const adsGroups = endpoint({
  title: '广告店铺',
  method: 'GET',
  path: '/amazonadv/api/v1/advManager/getGroup',
  permission: 'login',
  concurrent: true,
  reply: z.array(z.object({ id: Id, name: z.string(), regions: z.array(z.string()) })),
});
