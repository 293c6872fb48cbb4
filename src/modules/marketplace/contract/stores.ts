import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, OptionalText, States, Text } from '#kit/contract/field.ts';
import { AdsStatus } from './ads.ts';
import { MARKETPLACES } from './marketplaces.ts';

export const AccountStatus = States(
  {
    none: { title: '未授权', tone: 'off' },
    active: { title: '已授权', tone: 'done' },
    expiring: { title: '即将到期', tone: 'waiting' },
    revoked: { title: '授权失效', tone: 'trouble' },
    expired: { title: '已过期', tone: 'trouble' },
    suspended: { title: '账户受限', tone: 'trouble' },
    disabled: { title: '已停用', tone: 'off' },
    deleted: { title: '已解绑', tone: 'off' },
    /** No consent and no calls: its data comes from uploaded files only. */
    manual: { title: '手工店铺', tone: 'side' },
  },
  '店铺授权',
);

const Site = z.object({
  marketplaceId: z.string(),
  country: z.string(),
  enabled: z.boolean(),
});

/** One seller account of a store, or a store's region that has none yet. */
export const AccountRow = z.object({
  authid: Id,
  storeId: Id,
  gname: z.string().meta({ title: '店铺账号', width: 190 }),
  sellerid: z.string().meta({ title: '卖家ID', kind: 'code' }),
  region: z.string(),
  regionname: z.string().meta({ title: '区域', width: 80 }),
  /** 1 authorised, 0 in trouble, 2 not authorised: as the public call spells it. */
  sellerauth: z.int(),
  /** The same for the advertising of the store's region. */
  adauth: z.int().meta({ hidden: true }),
  adStatus: AdsStatus.meta({ title: '广告授权', width: 110 }),
  /** Id of the advertising consent; null where there is none. */
  advid: Id.nullable(),
  advtime: Instant.nullable().meta({ title: '广告授权日期', width: 130, optional: true }),
  status: AccountStatus.meta({ width: 110 }),
  time: Instant.nullable().meta({ title: '授权日期' }),
  expireTime: Instant.nullable().meta({ title: '过期日期', width: 130 }),
  lastSyncAt: Instant.nullable().meta({ title: '最近同步', width: 120 }),
  /** Share of streams inside their promise, 0..1 as text; null before the first run. */
  health: z.string().nullable().meta({ title: '健康度', kind: 'percent', width: 90 }),
  problem: z.string().nullable(),
  countrysList: z.array(Site).meta({ title: '国家', width: 230 }),
});
export type AccountRow = z.infer<typeof AccountRow>;

const StoreRow = z.object({
  groupid: Id,
  gname: z.string(),
  createdAt: Instant,
  regionslist: z.array(AccountRow),
});
export type StoreRow = z.infer<typeof StoreRow>;

const authority = '/amazon/api/v1/amzauthority';

export const bindSeller = endpoint({
  title: '店铺授权列表',
  method: 'GET',
  path: `${authority}/getBindSeller`,
  permission: 'amz:store:view',
  concurrent: true,
  reply: z.object({ stores: z.array(StoreRow) }),
});

export const authUrl = endpoint({
  title: '获取店铺授权链接',
  method: 'GET',
  path: `${authority}/getAuthUrl`,
  permission: 'amz:store:authorize',
  access: 'write',
  query: z.object({
    groupid: Id.meta({ title: '店铺' }),
    marketplaceId: z.string().min(1, '请选择站点').max(20).meta({ title: '站点' }),
    authid: Id.optional(),
  }),
  reply: z.url(),
});

/** Both result variants: A brings code and state, B brings state, selling_partner_id and spapi_oauth_code. */
export const authSeller = endpoint({
  title: '店铺授权结果',
  method: 'GET',
  path: `${authority}/authSeller`,
  permission: 'public',
  access: 'write',
  query: z.object({
    state: z.string().max(200).meta({ title: '授权状态' }),
    selling_partner_id: z
      .string()
      .regex(/^[A-Z0-9]{5,30}$/, '卖家编号格式不正确')
      .meta({ title: '卖家编号' }),
    mws_auth_token: z.string().max(500).optional(),
    spapi_oauth_code: z.string().min(1, '缺少授权码').max(500).meta({ title: '授权码' }),
  }),
  reply: z.object({ id: Id }),
});

export const regionByGroup = endpoint({
  title: '店铺的区域',
  method: 'GET',
  path: `${authority}/getRegionByGroup`,
  permission: 'amz:store:view',
  query: z.object({ groupid: Id.meta({ title: '店铺' }) }),
  reply: z.array(z.object({ region: z.string(), regionname: z.string(), authid: Id.nullable() })),
});

/** value is "marketplaceId-authid", label "【国】店铺". */
export const authMarketplace = endpoint({
  title: '已授权站点',
  method: 'GET',
  path: `${authority}/getAuthMaketplace`,
  permission: 'login',
  concurrent: true,
  reply: z.array(z.object({ label: z.string(), value: z.string() })),
});

export const disableSeller = endpoint({
  title: '停用店铺授权',
  method: 'GET',
  path: `${authority}/deleteByLogic`,
  permission: 'amz:store:delete',
  access: 'write',
  query: z.object({
    authid: Id.meta({ title: '授权' }),
    /** Typed again by the user, so that nobody stops a store by a slip. */
    sellerid: z.string().max(30).meta({ title: '卖家ID' }),
  }),
  reply: z.literal('success'),
});

export const refreshMarkets = endpoint({
  title: '刷新站点',
  method: 'GET',
  path: '/amazon/api/v1/amazonSellerMarket/refreshMarketByAuth',
  permission: 'amz:store:sync',
  access: 'write',
  query: z.object({ authid: Id.meta({ title: '授权' }) }),
  reply: z.literal('success'),
});

/** Switches a site on or off for this company: what is off is neither read nor offered in pickers; its data stays. */
export const changeSite = endpoint({
  title: '启用或停用站点',
  method: 'GET',
  path: '/amazon/api/v1/amazonSellerMarket/statusChange',
  permission: 'amz:store:edit',
  access: 'write',
  query: z.object({
    authid: Id.meta({ title: '授权' }),
    marketplaceid: z.string().min(1, '请选择站点').max(20).meta({ title: '站点' }),
    enabled: z.enum(['0', '1'], '启用状态只能是 0 或 1').meta({ title: '启用' }),
  }),
  reply: z.literal('success'),
});

const required = (max: number, title: string) =>
  z
    .string(`${title}不能为空`)
    .trim()
    .min(1, `${title}不能为空`)
    .max(max, `${title}不能超过${max}个字符`)
    .meta({ title });

/**
 * A private application of the seller's own (高级): the credentials are proved by a live call before they are kept, sealed.
 * The proxy belongs to the store's usual network; all its calls go that way.
 */
export const saveAuth = endpoint({
  title: '保存私有应用授权',
  method: 'POST',
  path: `${authority}/saveAuth`,
  permission: 'amz:store:authorize',
  body: z.object({
    groupid: Id.meta({ title: '店铺' }),
    marketplaceid: z.string().min(1, '请选择站点').max(20).meta({ title: '站点' }),
    sellerid: required(30, '卖家编号 Seller Id').regex(/^[A-Z0-9]{5,30}$/, '卖家编号 Seller Id格式不正确'),
    clientid: required(200, '应用编号 Client Id'),
    clientsecret: required(300, '应用密钥 Client Secret'),
    refreshtoken: required(2000, '长期令牌 Refresh Token'),
    proxyhost: z
      .string()
      .trim()
      .max(255)
      .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, '代理地址格式不正确')
      .optional()
      .meta({ title: '代理地址' }),
    proxyport: z
      .int()
      .min(1, '代理端口为1到65535')
      .max(65535, '代理端口为1到65535')
      .optional()
      .meta({ title: '代理端口' }),
  }),
  reply: z.object({ id: Id }),
});

const RenewLink = z.object({
  authid: Id,
  gname: z.string(),
  sellerid: z.string(),
  /** Where the link is to be opened, so that stores are not associated. */
  network: z.string(),
  /** Null where no link helps; `problem` says why. */
  url: z.url().nullable(),
  problem: z.string().nullable(),
});
export type RenewLink = z.infer<typeof RenewLink>;

/** One link per account, each to be opened once within ten minutes on the machine that usually logs in to its store. */
export const renewLinks = endpoint({
  title: '批量续期链接',
  method: 'POST',
  path: `${authority}/renewLinks`,
  permission: 'amz:store:authorize',
  body: z.object({
    authids: z.array(Id).min(1, '请选择店铺账号').max(200, '一次最多200个账号').meta({ title: '店铺账号' }),
  }),
  reply: z.array(RenewLink),
});

/** 解绑: thirty days after an account was stopped its tokens are destroyed. */
export const deleteSeller = endpoint({
  title: '解绑店铺',
  method: 'POST',
  path: `${authority}/unbind`,
  permission: 'amz:store:delete',
  body: z.object({ authid: Id.meta({ title: '授权' }), sellerid: z.string().max(30).meta({ title: '卖家ID' }) }),
  reply: z.literal('success'),
});

const group = '/amazon/api/v1/amzgroup';

/** What is known of a store; fields that are left out stay as they are. */
export const StoreForm = z.object({
  name: Text(50, '店铺名称'),
  company: OptionalText(100, '公司名称'),
  taxNumber: OptionalText(50, '税号'),
  customsNumber: OptionalText(50, '海关注册编号'),
  network: OptionalText(100, '网络环境'),
});
export type StoreForm = z.infer<typeof StoreForm>;

export const listStores = endpoint({
  title: '店铺列表',
  method: 'GET',
  path: `${group}/list`,
  permission: 'amz:store:view',
  reply: z.array(
    z.object({
      id: Id,
      name: z.string(),
      company: z.string(),
      taxNumber: z.string(),
      customsNumber: z.string(),
      network: z.string(),
      createdAt: Instant,
    }),
  ),
});

export const saveStore = endpoint({
  title: '保存店铺',
  method: 'PUT',
  path: `${group}/save`,
  permission: 'amz:store:edit',
  body: StoreForm.extend({ id: Id.optional() }),
  reply: Id,
});

/** The stores in their new order; whoever is not named follows behind. */
export const sortStores = endpoint({
  title: '店铺排序',
  method: 'POST',
  path: `${group}/updateBatch`,
  permission: 'amz:store:edit',
  body: z.object({ ids: z.array(Id).min(1, '请选择店铺').max(1000, '店铺过多').meta({ title: '店铺' }) }),
  reply: z.literal('success'),
});

/** A seller account without consent, for a company that works with files. All sites must lie in one region. */
export const manualAccount = endpoint({
  title: '新增手工店铺账号',
  method: 'POST',
  path: `${group}/manualAccount`,
  permission: 'amz:store:edit',
  body: z.object({
    storeId: Id.meta({ title: '店铺' }),
    marketplaceIds: z
      .array(z.string().max(20))
      .min(1, '请选择站点')
      .max(MARKETPLACES.length, '站点过多')
      .meta({ title: '站点' }),
    sellerId: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{5,30}$/, '卖家ID格式不正确')
      .optional()
      .meta({ title: '卖家ID' }),
  }),
  reply: z.object({ authid: Id }),
});

export const deleteStore = endpoint({
  title: '删除店铺',
  method: 'DELETE',
  path: `${group}/delete/:id`,
  permission: 'amz:store:delete',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});
