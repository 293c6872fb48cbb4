import { STAGES, type StageKey } from '../types.ts';
import { previewChange, takeChange } from './change.ts';
import { offerPacking, takePacking, tellBoxes } from './packing.ts';
import { offerPlacement, takePlacement } from './placement.ts';
import { cancelPlan, createPlan } from './plan.ts';
import { readPrep, tellPrep } from './prep.ts';
import type { Stage } from './stage.ts';
import { offerTransport, offerWindow, takeTransport, takeWindow } from './transport.ts';
import { labels, tellTracking } from './way.ts';

const all: readonly Stage[] = [
  readPrep,
  tellPrep,
  createPlan,
  offerPacking,
  takePacking,
  tellBoxes,
  offerPlacement,
  takePlacement,
  offerTransport,
  offerWindow,
  takeWindow,
  takeTransport,
  labels,
  previewChange,
  takeChange,
  tellTracking,
  cancelPlan,
];
const byKey = new Map(all.map((stage) => [stage.key, stage]));

/** The step of that name. */
export function stageOf(key: StageKey): Stage {
  const stage = byKey.get(key);
  if (!stage) throw new Error(`no stage ${key}`);
  return stage;
}

/** Steps of the way in their order. */
export const stages: readonly Stage[] = STAGES.map(stageOf);

/** Steps that come after one. */
export function after(key: StageKey): StageKey[] {
  const place = (STAGES as readonly StageKey[]).indexOf(key);
  return place < 0 ? [] : STAGES.slice(place + 1);
}
