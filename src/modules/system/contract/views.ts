import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ViewContent } from '#kit/contract/list-view.ts';
import { base } from './shared.ts';

export const View = z.object({
  id: Id,
  name: z.string(),
  queryname: z.string(),
  content: ViewContent,
  /** Shown to the whole company. */
  isShared: z.boolean(),
  isMine: z.boolean(),
  /** Whose it is; null where it is the caller's own. */
  ownerName: z.string().nullable(),
  /** The caller's list opens with it. */
  isDefault: z.boolean(),
  version: z.int(),
});
export type View = z.infer<typeof View>;

const QueryName = z.string().trim().min(1, '查询名称不能为空').max(80).meta({ title: '查询名称' });
const Name = z
  .string()
  .trim()
  .min(1, '视图名称不能为空')
  .max(40, '视图名称不能超过40个字符')
  .meta({ title: '视图名称' });
const Shared = z.boolean().meta({ title: '共享给同事' });
const path = `${base}/list-views`;

/** Own views of a list and those that colleagues share, own ones first, by name. */
export const listViews = endpoint({
  title: '列表视图',
  method: 'GET',
  path,
  permission: 'login',
  concurrent: true,
  query: z.object({ queryname: QueryName }),
  reply: z.array(View),
});

/** The view with which each of the caller's lists opens; lists without one are not named. */
export const defaultViews = endpoint({
  title: '默认视图',
  method: 'GET',
  path: `${path}/defaults`,
  permission: 'login',
  concurrent: true,
  reply: z.array(View),
});

/** Answers its id. B0204 where the caller has a view of this name, B0205 beyond 50 of a list. */
export const addView = endpoint({
  title: '保存视图',
  method: 'POST',
  path,
  permission: 'login',
  body: z.object({ queryname: QueryName, name: Name, isShared: Shared, content: ViewContent }),
  reply: Id,
});

/** What is left out stays. 409 where somebody changed it meanwhile, B0206 for a colleague's. */
export const changeView = endpoint({
  title: '修改视图',
  method: 'PUT',
  path: `${path}/:id`,
  permission: 'login',
  params: z.object({ id: Id }),
  body: z.object({
    version: z.int().min(0).meta({ title: '版本' }),
    name: Name.optional(),
    isShared: Shared.optional(),
    content: ViewContent.optional(),
  }),
  reply: z.literal('success'),
});

/** Whoever opened his list with it finds the list as it is made. B0206 for a colleague's. */
export const removeView = endpoint({
  title: '删除视图',
  method: 'DELETE',
  path: `${path}/:id`,
  permission: 'login',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});

/** The caller's list opens with an own or shared view from now on; no id: as it is made. */
export const setDefaultView = endpoint({
  title: '设置默认视图',
  method: 'POST',
  path: `${path}/default`,
  permission: 'login',
  body: z.object({ queryname: QueryName, id: Id.nullable().meta({ title: '视图' }) }),
  reply: z.literal('success'),
});
