import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';

const MenuMeta = z.object({
  title: z.string(),
  icon: z.string().optional(),
  keepAlive: z.boolean(),
  /** On the first top-level entry only: every permission code that the user holds. */
  permissions: z.array(z.string()).optional(),
  /** There too: the IANA zone in which the company counts days. */
  timeZone: z.string().optional(),
});

export interface MenuEntry {
  name: string;
  path: string;
  redirect?: string | undefined;
  /** Key of the lazy screen: 'order/OrderList' is modules/order/web/screens/OrderList.tsx. */
  component?: string | undefined;
  sort: number;
  meta: z.infer<typeof MenuMeta>;
  children: MenuEntry[];
}

/** Up to three levels: section, group, screen. */
export const MenuEntry: z.ZodType<MenuEntry> = z.object({
  name: z.string(),
  path: z.string(),
  redirect: z.string().optional(),
  component: z.string().optional(),
  sort: z.number(),
  meta: MenuMeta,
  get children() {
    return z.array(MenuEntry);
  },
});

export const menuRoute = endpoint({
  title: '当前用户菜单',
  method: 'GET',
  path: '/admin/api/v1/menus/route',
  permission: 'login',
  reply: z.array(MenuEntry),
});

export const cleanUserCache = endpoint({
  title: '清除缓存',
  method: 'GET',
  path: '/admin/api/v1/menus/cleanUserCache',
  permission: 'login',
  access: 'write',
  reply: z.literal('success'),
});
