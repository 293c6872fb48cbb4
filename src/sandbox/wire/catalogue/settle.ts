import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';

/** A listing takes so many times as long to change as a report to be made: minutes, where that takes seconds. */
const TIMES = 20;

/** How long a submission takes until the listing shows it, ms of the throttle clock. */
export function editDelay(world: World, submissionId: string): number {
  const [low, high] = world.edits.delayMs ?? world.settings.reportDelayMs.map((ms) => ms * TIMES);
  const [from = 0, to = 0] = [low, high];
  return Math.round(from + (to - from) * unitDraw('edit-delay', world.seed, submissionId));
}

/** Lets every submission hold whose time has come, in the order in which they were accepted. */
export function settleEdits(world: World): void {
  for (const { submissionId, askedAt, takesMs } of world.edits.open()) {
    if (world.throttleClock.now() - askedAt < takesMs) continue;
    world.command({ type: 'listingDone', submissionId, at: world.now() });
  }
}
