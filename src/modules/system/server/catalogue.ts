import type { z } from 'zod';
import { columnsOf } from '#kit/contract/columns.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';

/** Row schemas of the lists, by query name: what `lists` of the module manifests declare. */
function rowOf(ctx: Ctx, queryName: string): z.ZodObject {
  for (const module of ctx.runtime.modules) {
    const row = Object.hasOwn(module.lists ?? {}, queryName) ? module.lists?.[queryName] : undefined;
    if (row) return row;
  }
  throw notFound(`没有名为「${queryName}」的列表`);
}

/** Every field that a list can show to the caller, in the order of the contract. */
export function catalogueOf(ctx: Ctx, queryName: string) {
  return columnsOf(rowOf(ctx, queryName))
    .filter((column) => !column.hidden && (column.permission === undefined || can(ctx, column.permission)))
    .map((column, findex) => ({
      ffield: column.key,
      title: column.title,
      titleTooltip: column.tip ?? null,
      width: column.width ?? null,
      sortable: !['product', 'image'].includes(column.kind),
      isShow: !column.optional,
      findex,
    }));
}
