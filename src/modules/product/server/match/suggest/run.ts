import type { Ctx } from '#kit/server/context.ts';
import { refreshConflicts } from '../conflicts.ts';
import { lockMatches } from '../listing-costs.ts';
import { land } from './choose.ts';
import { fromCodes, fromFamilies, fromOtherSites, prepare } from './signals.ts';
import { fromLikeness } from './similar.ts';

/** Looks anew for what listings without a pairing are, and which pairings conflict. Nobody waits for it until the very end. */
export async function findAll(
  ctx: Ctx,
  progress: (percent: number, words: string) => Promise<void> = async () => {},
): Promise<{ unpaired: number; open: number; fresh: number }> {
  const unpaired = await prepare(ctx);
  await progress(20, `比对 ${unpaired} 个未配对商品`);
  await fromOtherSites(ctx);
  await fromCodes(ctx);
  await fromFamilies(ctx);
  await progress(40, '比对相近的编码与标题');
  await fromLikeness(ctx);
  await progress(90, '写入建议');
  await lockMatches(ctx);
  const found = await land(ctx);
  await refreshConflicts(ctx);
  return { unpaired, ...found };
}
