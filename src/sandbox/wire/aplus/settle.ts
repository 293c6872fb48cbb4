import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import { reviewComplaints } from './judge.ts';
import type { AplusDocument } from './state.ts';

/** A review takes so many times as long as a report to be made: minutes here, days at Amazon. */
const TIMES = 40;

/** Data time of a change: later than that of the change before, also while the clock stands still. */
export function changeTime(world: World, before?: AplusDocument): number {
  return Math.max(world.now(), (before?.updatedAt ?? 0) + 1000);
}

/** How long the review of a document takes, ms of the throttle clock. */
export function reviewDelay(world: World, key: string): number {
  const [low = 0, high = 0] = world.aplus.delayMs ?? world.settings.reportDelayMs.map((ms) => ms * TIMES);
  return Math.round(low + (high - low) * unitDraw('aplus-review', world.seed, key, world.aplus.next()));
}

/** Ends every review whose time has come: published on all ASINs of the document, or rejected with reasons. */
export function settleAplus(world: World): void {
  for (const document of world.aplus.waiting()) {
    const { askedAt = 0, takesMs = 0 } = document;
    if (world.throttleClock.now() - askedAt < takesMs) continue;
    const { rejectNext, reasons } = world.aplus;
    const found = rejectNext > 0 ? reasons : reviewComplaints(document.content);
    if (rejectNext > 0) world.command({ type: 'aplusReview', rejectNext: rejectNext - 1 });
    const isGood = rejectNext === 0 && found.length === 0;
    const { askedAt: _, takesMs: __, ...rest } = document;
    world.command({
      type: 'aplusDocument',
      document: {
        ...rest,
        status: isGood ? 'APPROVED' : 'REJECTED',
        live: isGood ? document.asins : document.live,
        reasons: isGood ? [] : found,
        updatedAt: changeTime(world, document),
      },
    });
  }
}
