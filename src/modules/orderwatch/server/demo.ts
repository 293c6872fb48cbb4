import type { Ctx } from '#kit/server/context.ts';
import { saveRule } from './rules.ts';
import { rulesOf } from './rules-of.ts';

/** The demo's buyers take few pieces: four of one thing are many for them. What somebody has chosen by then stays. */
export async function demoWatch(ctx: Ctx): Promise<void> {
  const { version } = (await rulesOf(ctx)).QUANTITY;
  if (version === 0) await saveRule(ctx, { kind: 'QUANTITY', threshold: '4', enabled: true, version });
}
