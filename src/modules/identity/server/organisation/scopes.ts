import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type ScopeDimension, scopeDimensions } from '#kit/server/scope.ts';
import { type Dimension, type NamedScope, OWNER_DIMENSION, type ScopeGrant } from '../../contract/roles.ts';
import { dimensionsOf, type Grant } from '../data-scope.ts';

/** Dimensions that the modules of this product declare. */
export function registered(ctx: Ctx): ScopeDimension[] {
  return extensionsOf(ctx.runtime.modules, scopeDimensions);
}

export async function dimensionList(ctx: Ctx): Promise<Dimension[]> {
  const on = await dimensionsOf(ctx);
  const list = registered(ctx).map(({ name, title }) => ({
    name,
    title,
    enabled: on.includes(name),
    people: name === OWNER_DIMENSION,
  }));
  return list.sort((a, b) => Number(a.people) - Number(b.people));
}

export async function optionsOf(ctx: Ctx, name: string) {
  const dimension = registered(ctx).find((each) => each.name === name);
  if (!dimension) throw notFound();
  return dimension.options(ctx);
}

function badMode(message: string) {
  return invalid([{ field: 'scopes', title: '数据范围', msg: message }]);
}

/**
 * Refuses grants on dimensions that are not there, modes that a dimension does not know, and ids that the caller cannot
 * see (404) unless they were granted before.
 */
export async function requireGrants(ctx: Ctx, grants: readonly ScopeGrant[], before: readonly Grant[]): Promise<void> {
  const names = grants.map((grant) => grant.dimension);
  if (new Set(names).size !== names.length) throw badMode('同一数据维度重复');
  for (const grant of grants) {
    const dimension = registered(ctx).find((each) => each.name === grant.dimension);
    if (!dimension) throw badMode('数据维度不存在');
    const byPlace = grant.mode !== 'ALL' && grant.mode !== 'LIST';
    if (byPlace && grant.dimension !== OWNER_DIMENSION) throw badMode(`${dimension.title}不支持按部门设置`);
    if (grant.mode !== 'LIST') continue;
    const known = new Set(before.find((each) => each.dimension === grant.dimension)?.ids);
    const fresh = grant.ids.filter((id) => !known.has(id));
    if (fresh.length === 0) continue;
    const offered = new Set((await dimension.options(ctx)).map((option) => option.id));
    if (fresh.some((id) => !offered.has(id))) throw notFound();
  }
}

/** Grants on every registered dimension with names for ids; a dimension without a grant reads as nothing chosen. */
export async function namedScopes(ctx: Ctx, grants: readonly Grant[], absent: 'ALL' | 'LIST'): Promise<NamedScope[]> {
  const on = await dimensionsOf(ctx);
  const found: NamedScope[] = [];
  for (const { name, title, options } of registered(ctx)) {
    const grant = grants.find((each) => each.dimension === name) ?? { dimension: name, mode: absent, ids: [] };
    const ids = new Set(grant.ids);
    const names = grant.mode === 'LIST' && ids.size > 0 ? await options(ctx) : [];
    found.push({
      dimension: name,
      mode: grant.mode as ScopeGrant['mode'],
      ids: [...grant.ids],
      title,
      enabled: on.includes(name),
      names: names.filter((option) => ids.has(option.id)).map((option) => option.title),
    });
  }
  return found;
}
