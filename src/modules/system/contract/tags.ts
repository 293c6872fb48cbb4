import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Text } from '#kit/contract/field.ts';
import { base, Sort, Status } from './shared.ts';

export const TagColor = Choice({ info: '灰', blue: '蓝', success: '绿', warning: '黄', danger: '红' }, '颜色');
export type TagColor = z.infer<typeof TagColor>;

export const TagRow = z.object({
  id: Id,
  groupId: Id,
  name: z.string().meta({ title: '标签名称', width: 200 }),
  color: TagColor.meta({ width: 80 }),
  status: Status.meta({ width: 80 }),
  sort: Sort.meta({ kind: 'integer', width: 70 }),
  /** How often it is used, by everything that uses tags. */
  uses: z.int().meta({ title: '使用数', kind: 'integer', width: 90 }),
  version: z.int(),
});
export type TagRow = z.infer<typeof TagRow>;

export const TagGroup = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  sort: Sort,
  status: Status,
  version: z.int(),
  tags: z.array(TagRow),
});
export type TagGroup = z.infer<typeof TagGroup>;

const groups = `${base}/sysTagsGroups`;
const tags = `${base}/sysTags`;
const ById = z.object({ id: Id });
const Version = z.int().optional().meta({ title: '版本', hidden: true });

export const listTagGroups = endpoint({
  title: '标签组',
  method: 'GET',
  path: groups,
  permission: 'sys:tag:view',
  reply: z.array(TagGroup),
});

const NewGroup = z.object({
  name: Text(30, '标签组名称'),
  description: z.string().trim().max(100, '描述不能超过100个字符').default('').meta({ title: '描述' }),
  sort: Sort.default(0),
  status: Status.default('active'),
});

export const addTagGroup = endpoint({
  title: '新增标签组',
  method: 'POST',
  path: groups,
  permission: 'sys:tag:add',
  body: NewGroup,
  reply: Id,
});

export const saveTagGroup = endpoint({
  title: '修改标签组',
  method: 'PUT',
  path: `${groups}/:id`,
  permission: 'sys:tag:edit',
  params: ById,
  body: NewGroup.extend({ version: Version }),
  reply: z.literal('success'),
});

export const removeTagGroup = endpoint({
  title: '删除标签组',
  method: 'DELETE',
  path: `${groups}/:id`,
  permission: 'sys:tag:delete',
  params: ById,
  reply: z.literal('success'),
});

/** Tags in use of groups in use, for pickers. */
export const selectTags = endpoint({
  title: '标签选项',
  method: 'GET',
  path: `${tags}/select`,
  permission: 'login',
  reply: z.array(z.object({ id: Id, name: z.string(), color: TagColor, group: z.string() })),
});

const NewTag = z.object({
  groupId: Id.meta({ title: '标签组', hidden: true }),
  name: Text(20, '标签名称'),
  color: TagColor.default('info'),
  sort: Sort.default(0),
  status: Status.default('active'),
});

export const addTag = endpoint({
  title: '新增标签',
  method: 'POST',
  path: tags,
  permission: 'sys:tag:add',
  body: NewTag,
  reply: Id,
});

export const saveTag = endpoint({
  title: '修改标签',
  method: 'PUT',
  path: `${tags}/:id`,
  permission: 'sys:tag:edit',
  params: ById,
  body: NewTag.omit({ groupId: true }).extend({ version: Version }),
  reply: z.literal('success'),
});

/** Only a tag that nothing uses can go; another is merged or taken out of use. */
export const removeTag = endpoint({
  title: '删除标签',
  method: 'DELETE',
  path: `${tags}/:id`,
  permission: 'sys:tag:delete',
  params: ById,
  reply: z.literal('success'),
});

/** Whatever carries `from` carries `to` afterwards, and `from` is gone. */
export const mergeTags = endpoint({
  title: '合并标签',
  method: 'POST',
  path: `${tags}/merge`,
  permission: 'sys:tag:edit',
  body: z.object({ from: Id.meta({ title: '被合并的标签' }), to: Id.meta({ title: '保留的标签' }) }),
  reply: z.object({ moved: z.int() }),
});
