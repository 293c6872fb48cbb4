import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';
import { base, EDIT, Named, Saved, SUBMIT } from './draft.ts';

/** So many drafts go into one sheet, and through one step. */
export const MOST_AT_ONCE = 500;

const Started = z.object({ taskId: Id });

/** Drafts for listings, each begun on what Amazon shows of it now; those that are open already are taken up. */
export const editMany = endpoint({
  title: '批量编辑商品',
  method: 'POST',
  path: `${base}/edit-many`,
  permission: EDIT,
  body: z.object({
    listingIds: z
      .array(Id)
      .min(1, '请选择商品')
      .max(MOST_AT_ONCE, `一次最多编辑 ${MOST_AT_ONCE} 个商品`)
      .meta({ title: '商品' }),
  }),
  reply: Started,
});

/** 批量编辑表: drafts with their attributes as columns, a sheet for each product type of a site. */
export const draftSheet = endpoint({
  title: '导出批量编辑表',
  method: 'POST',
  path: `${base}/sheet`,
  permission: EDIT,
  access: 'read',
  file: true,
  body: z.object({
    ids: z
      .array(Id)
      .min(1, '请选择草稿')
      .max(MOST_AT_ONCE, `一次最多导出 ${MOST_AT_ONCE} 份草稿`)
      .meta({ title: '草稿' }),
  }),
  reply: z.unknown(),
});

/** Puts what a sheet changes into its drafts; one bad cell is enough that nothing is written, an equal one changes nothing. */
export const takeSheet = endpoint({
  title: '导入批量编辑表',
  method: 'POST',
  path: `${base}/sheet/import`,
  permission: EDIT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    /** Drafts that become others, and cells that make them so. */
    changed: z.int(),
    cells: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

/** Hands drafts in one after the other; one that cannot go keeps its reason, the others go. */
export const submitMany = endpoint({
  title: '批量提交商品刊登',
  method: 'POST',
  path: `${base}/submit-many`,
  permission: SUBMIT,
  body: z.object({
    drafts: z
      .array(Named)
      .min(1, '请选择草稿')
      .max(MOST_AT_ONCE, `一次最多提交 ${MOST_AT_ONCE} 份草稿`)
      .meta({ title: '草稿' }),
  }),
  reply: Started,
});

/** Hands a draft in at a time to come; null takes that back. */
export const scheduleDraft = endpoint({
  title: '定时提交商品刊登',
  method: 'POST',
  path: `${base}/schedule`,
  permission: SUBMIT,
  body: Named.extend({ at: Instant.nullable().meta({ title: '提交时间' }) }),
  reply: Saved,
});
