import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './shared.ts';

/** Marketplaces by code, in the order of the picker. */
export const PLATFORM_NAMES = {
  amazon: 'Amazon',
  shopee: 'Shopee',
  wish: 'Wish',
  aliexpress: 'AliExpress 速卖通',
  ebay: 'eBay',
  cdiscount: 'Cdiscount',
  dhgate: 'DHgate 敦煌',
  walmart: 'Walmart',
  kilimall: 'Kilimall',
  magento: 'Magento',
  woocommerce: 'WooCommerce',
  jd: 'JD 京东',
} as const;
export type PlatformCode = keyof typeof PLATFORM_NAMES;

const Code = z.enum(Object.keys(PLATFORM_NAMES) as [PlatformCode, ...PlatformCode[]]).meta({ title: '平台' });

export const PlatformRow = z.object({
  code: Code,
  name: z.string(),
  enabled: z.boolean(),
  /** Stores that the caller's company works with there; for the operator those of all companies. */
  stores: z.int(),
});
export type PlatformRow = z.infer<typeof PlatformRow>;

export const listPlatforms = endpoint({
  title: '平台列表',
  method: 'GET',
  path: `${base}/platforms`,
  permission: 'login',
  reply: z.array(PlatformRow),
});

export const switchPlatform = endpoint({
  title: '启用或关闭平台',
  method: 'PUT',
  path: `${base}/platforms/:code`,
  permission: 'sys:platform:edit',
  params: z.object({ code: Code }),
  body: z.object({ enabled: z.boolean('请选择状态').meta({ title: '状态' }) }),
  reply: z.literal('success'),
});
