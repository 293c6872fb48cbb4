import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { menuFor } from '../menu.ts';
import { menuOverlays } from '../menu-overlay.ts';
import { catalogue, isField, screensOf, titled, titlesOf } from './catalogue.ts';
import { roleOf, type StoredRole, updateRole } from './roles.ts';
import { namedScopes } from './scopes.ts';

/** Every screen with its codes; marked are those that the caller may give. */
export async function companyTree(ctx: Ctx) {
  return catalogue(ctx.runtime.modules, await menuOverlays(ctx.runtime), ctx.permissions ?? ctx.runtime.codes);
}

function heldBy(ctx: Ctx, role: StoredRole): Set<string> {
  return new Set(role.codes.filter((code) => ctx.runtime.codes.has(code)));
}

/** The menu of somebody who holds this role and no other, and the paths of its screens. */
export async function menuOfRole(ctx: Ctx, id: string) {
  const role = await roleOf(ctx, id);
  const held = heldBy(ctx, role);
  const menu = menuFor(ctx.runtime.modules, held, await menuOverlays(ctx.runtime));
  const screens = screensOf(await companyTree(ctx)).filter((screen) => held.has(screen.code));
  return { version: role.version, menu, paths: screens.map((screen) => screen.path) };
}

/** Opens exactly the screens of these paths to a role. */
export async function saveMenusOfRole(ctx: Ctx, id: string, input: { version: number; paths: readonly string[] }) {
  const screens = screensOf(await companyTree(ctx));
  const unknown = input.paths.find((path) => !screens.some((screen) => screen.path === path));
  if (unknown !== undefined) throw refused(`菜单不存在：${unknown}`, 'B0157');
  const role = await roleOf(ctx, id);
  const opening = new Set(screens.map((screen) => screen.code));
  const wanted = screens.filter((screen) => input.paths.includes(screen.path)).map((screen) => screen.code);
  const codes = [...heldBy(ctx, role)].filter((code) => !opening.has(code));
  return updateRole(ctx, id, { version: input.version, codes: [...new Set([...codes, ...wanted])] });
}

export async function scopesOfRole(ctx: Ctx, id: string) {
  const role = await roleOf(ctx, id);
  return { version: role.version, scopes: await namedScopes(ctx, role.grants, 'LIST') };
}

/** What a member with this role alone sees: by the same code that decides it for him. */
export async function preview(ctx: Ctx, id: string) {
  const { modules } = ctx.runtime;
  const role = await roleOf(ctx, id);
  const held = heldBy(ctx, role);
  const kept = [...titlesOf(modules).keys()].filter((code) => isField(code) && !held.has(code));
  return {
    name: role.name,
    menu: menuFor(modules, held, await menuOverlays(ctx.runtime)),
    codes: titled(modules, [...held].sort()),
    hiddenFields: titled(modules, kept),
    scopes: await namedScopes(ctx, role.grants, 'LIST'),
  };
}
