import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';

/** Something of a module that carries tags. */
export interface TagUser {
  key: string;
  /** e.g. 「商品」. */
  title: string;
  /** How many of the company's records carry each of these tags; those that nothing carries may be left out. */
  count(ctx: Ctx, tagIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Gives every record that carries `from` the tag `to` instead; answers how many. */
  move(ctx: Ctx, from: string, to: string): Promise<number>;
}

/** What carries tags; each module registers its own. */
export const tagUsers = extensionPoint<TagUser>('system.tagUsers');

/** Uses of each tag over everything that carries tags. */
export async function usesOf(ctx: Ctx, tagIds: readonly string[]): Promise<Map<string, number>> {
  const uses = new Map<string, number>();
  if (tagIds.length === 0) return uses;
  for (const user of extensionsOf(ctx.runtime.modules, tagUsers)) {
    for (const [id, n] of await user.count(ctx, tagIds)) uses.set(id, (uses.get(id) ?? 0) + n);
  }
  return uses;
}

export async function moveUses(ctx: Ctx, from: string, to: string): Promise<number> {
  let moved = 0;
  for (const user of extensionsOf(ctx.runtime.modules, tagUsers)) moved += await user.move(ctx, from, to);
  return moved;
}
