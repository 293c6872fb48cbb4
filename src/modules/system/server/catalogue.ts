import { z } from 'zod';
import { columnsOf } from '#kit/contract/columns.ts';
import type { EndpointDef } from '#kit/contract/endpoint.ts';
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

const listCalls = new WeakMap<z.ZodType, EndpointDef>();

/** The call that answers pages of these rows; a list that is read whole has none and is ordered by nobody. */
function callOf(ctx: Ctx, row: z.ZodObject): EndpointDef | undefined {
  const known = listCalls.get(row);
  if (known) return known;
  for (const { endpoint } of ctx.runtime.modules.flatMap((module) => module.routes ?? [])) {
    const records = endpoint.reply instanceof z.ZodObject ? endpoint.reply.shape.records : undefined;
    if (!(records instanceof z.ZodArray) || records.element !== row) continue;
    listCalls.set(row, endpoint);
    return endpoint;
  }
  return undefined;
}

/** Every field that a list can show to the caller, in the order of the contract. */
export function catalogueOf(ctx: Ctx, queryName: string) {
  const row = rowOf(ctx, queryName);
  const sortable = callOf(ctx, row)?.sortable ?? [];
  return columnsOf(row)
    .filter((column) => !column.hidden && (column.permission === undefined || can(ctx, column.permission)))
    .map((column, findex) => ({
      ffield: column.key,
      title: column.title,
      titleTooltip: column.tip ?? null,
      width: column.width ?? null,
      sortable: sortable.includes(column.key),
      isShow: !column.optional,
      findex,
    }));
}
