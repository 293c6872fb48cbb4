import type { Ctx } from '#kit/server/context.ts';
import { saveRule } from './rules.ts';

/** The demo's buyers take few pieces: four of one thing are many for them. */
export async function demoWatch(ctx: Ctx): Promise<void> {
  await saveRule(ctx, { kind: 'QUANTITY', threshold: '4', enabled: true, version: 0 });
}
