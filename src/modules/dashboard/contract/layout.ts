import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';
import { CARD_KEYS, CARDS, type CardKey } from './card-list.ts';
import { HomeFilter } from './filter.ts';

/** Who says what members of a role begin with. */
export const TEMPLATE = 'dash:template:edit';

export const COLUMNS = 12;
const ROWS = 400;

/** What a card shows instead of what the page is narrowed to; what is left out follows the page. */
const { accountIds, marketplaceIds, period, dates } = HomeFilter.shape;
export const CardFilter = z.object({
  accountIds: accountIds.unwrap().optional(),
  marketplaceIds: marketplaceIds.unwrap().optional(),
  period: period.unwrap().optional(),
  dates,
});
export type CardFilter = z.infer<typeof CardFilter>;

const Placed = z.object({
  key: z.enum(CARD_KEYS).meta({ title: '卡片' }),
  x: z
    .int()
    .min(0)
    .max(COLUMNS - 1),
  y: z.int().min(0).max(ROWS).meta({ title: '行' }),
  w: z.int().min(1).max(COLUMNS).meta({ title: '宽' }),
  h: z.int().min(1).max(ROWS).meta({ title: '高' }),
  filter: CardFilter.optional().meta({ title: '筛选' }),
});

/** Cards with their places in columns of 12 and rows; each kind once, none smaller than it may be. */
export const Cards = z
  .array(
    Placed.refine(({ x, w }) => x + w <= COLUMNS, '卡片超出页面右边').refine(
      ({ key, w, h }) => w >= CARDS[key].minW && h >= CARDS[key].minH,
      '卡片小于最小尺寸',
    ),
  )
  .max(CARD_KEYS.length)
  .refine((cards) => new Set(cards.map(({ key }) => key)).size === cards.length, '同一张卡片不能出现两次')
  .meta({ title: '卡片' });
export type PlacedCard = z.infer<typeof Placed>;

export const LayoutState = z.object({
  /** Of the member's own saves; 0 before the first. A save names the one that it changes. */
  version: z.int(),
  /** Whose arrangement it is. */
  source: z.enum(['own', 'template', 'default']),
  cards: z.array(Placed),
  /** Every card that the caller may have. */
  offered: z.array(z.enum(CARD_KEYS)),
});
export type LayoutState = z.infer<typeof LayoutState>;

const base = '/admin/api/v1/dashboard';

export const getLayout = endpoint({
  title: '首页布局',
  method: 'GET',
  path: `${base}/layout`,
  permission: 'login',
  concurrent: true,
  reply: LayoutState,
});

/** 409 where another window has saved since `version` was read. */
export const saveLayout = endpoint({
  title: '保存首页布局',
  method: 'PUT',
  path: `${base}/layout`,
  permission: 'login',
  body: z.object({ version: z.int().min(0).meta({ title: '版本' }), cards: Cards }),
  reply: LayoutState,
});

/** 恢复默认: back to the template of the role, or to the product's own arrangement. */
export const resetLayout = endpoint({
  title: '恢复默认首页布局',
  method: 'DELETE',
  path: `${base}/layout`,
  permission: 'login',
  reply: LayoutState,
});

export const listTemplates = endpoint({
  title: '首页布局模板',
  method: 'GET',
  path: `${base}/templates`,
  permission: TEMPLATE,
  reply: z.array(
    z.object({
      roleId: Id,
      role: z.string(),
      /** Null where the role has none. */
      updatedAt: Instant.nullable(),
      updatedByName: z.string().nullable(),
    }),
  ),
});

/** Members of these roles who arranged nothing themselves have it from now on. */
export const saveTemplate = endpoint({
  title: '保存首页布局模板',
  method: 'PUT',
  path: `${base}/templates`,
  permission: TEMPLATE,
  body: z.object({
    roleIds: z.array(Id).min(1, '请选择角色').max(200).meta({ title: '角色' }),
    cards: Cards,
  }),
  reply: z.literal('success'),
});

export const removeTemplate = endpoint({
  title: '删除首页布局模板',
  method: 'DELETE',
  path: `${base}/templates/:roleId`,
  permission: TEMPLATE,
  params: z.object({ roleId: Id }),
  reply: z.literal('success'),
});

/** Whether somebody may have a card, by his permissions. */
export function mayHave(key: CardKey, holds: (permission: string) => boolean): boolean {
  const { permission, open } = { permission: undefined, open: undefined, ...CARDS[key] };
  return open === true || (holds('dash:home:view') && (permission === undefined || holds(permission)));
}
