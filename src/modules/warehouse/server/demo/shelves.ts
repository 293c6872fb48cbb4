import { randomUUID } from 'node:crypto';
import type { Ctx } from '#kit/server/context.ts';
import { relocate, shelve, unshelve } from '../shelf/move.ts';
import { type DemoPlace, productAt } from './shared.ts';

/** Some of what came in is put on shelves; a few pieces are moved, and a few come down again. */
export async function demoShelves(ctx: Ctx, place: DemoPlace): Promise<void> {
  const shelves = await ctx.db
    .selectFrom('warehouse.location')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', place.main)
    .where('type', '=', 'STORAGE')
    .orderBy('code')
    .limit(12)
    .execute();
  const at = (n: number) => shelves[n % shelves.length]?.id ?? '';
  if (shelves.length < 2) return;
  const head = () => ({ clientId: randomUUID(), warehouseId: place.main, remark: '' });
  const lines = Array.from({ length: 16 }, (_, n) => ({ productId: productAt(place, n), qty: 30 + n, toId: at(n) }));
  await shelve(ctx, { ...head(), lines });
  await relocate(ctx, {
    ...head(),
    lines: [{ productId: productAt(place, 2), qty: 12, fromId: at(2), toId: at(3) }],
  });
  await unshelve(ctx, { ...head(), lines: [{ productId: productAt(place, 5), qty: 8, fromId: at(5) }] });
}
