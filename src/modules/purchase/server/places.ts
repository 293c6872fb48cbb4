import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { type StockStatus, type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';

/** What pieces that lie in a warehouse of a quality are. */
export const AT_REST: Readonly<Record<string, StockStatus>> = {
  GOOD: 'AVAILABLE',
  QC: 'QUARANTINE',
  DEFECTIVE: 'DEFECTIVE',
};

const WORDS = { QC: '质检仓', DEFECTIVE: '次品仓' } as const;

/**
 * The warehouse that goods of a quality go to: the one that was named, else the company's only one.
 * @throws refused B1030 where there is none, several, or another quality was named
 */
export async function placeFor(
  ctx: Ctx,
  quality: keyof typeof WORDS,
  named: string | null | undefined,
): Promise<Warehouse> {
  const all = [...(await warehouses(ctx)).values()].filter((one) => one.quality === quality && !one.disabled);
  if (named) {
    const found = all.find((one) => one.id === named);
    if (!found) throw refused(`所选仓库不是可用的${WORDS[quality]}`, 'B1030');
    return found;
  }
  const [only, another] = all;
  if (!only) throw refused(`还没有${WORDS[quality]}，请先在仓库设置中新增`, 'B1030');
  if (another) throw refused(`请选择${WORDS[quality]}`, 'B1030');
  return only;
}
