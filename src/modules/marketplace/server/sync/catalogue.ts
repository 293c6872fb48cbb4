import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { StreamMode } from '../../contract/sync-matrix.ts';
import { adsStreams } from '../ads/streams.ts';
import { type ReportPlan, reportPlans, type StreamDef, streams } from '../streams.ts';

/** A stream that has cursors, whatever it reads from. */
export interface CatalogueEntry {
  code: string;
  title: string;
  sloMin: number;
  cadenceSec: number;
  priority: number;
  mode: StreamMode;
  /** Set for what is read by windows of time. */
  window?: Pick<StreamDef, 'overlapSec' | 'maxWindowSec'> | undefined;
  /** Set for what is read by reports; for a stream with windows the one that brings its past. */
  plan?: ReportPlan | undefined;
}

/** Whatever is read again and again, the most urgent first: what the matrix has a column for. */
export function catalogue(runtime: Pick<Runtime, 'modules'>): CatalogueEntry[] {
  const { modules } = runtime;
  const plans = extensionsOf(modules, reportPlans);
  const of = (def: Omit<StreamDef, 'scope' | 'fetch'>, mode: StreamMode): CatalogueEntry => ({
    ...pick(def),
    mode,
    ...(def.historySec !== 0 ? { window: def } : {}),
    plan: plans.find((plan) => plan.code === def.backfillBy),
  });
  const entries = [
    ...extensionsOf(modules, streams).map((def) => of(def, def.historySec !== 0 ? 'window' : 'present')),
    ...plans.filter((plan) => plan.how !== 'request').map((plan) => ({ ...pick(plan), mode: modeOf(plan), plan })),
    ...extensionsOf(modules, adsStreams).map((def) => of(def, 'ads')),
  ];
  return entries.sort((a, b) => a.priority - b.priority);
}

function pick({ code, title, sloMin, cadenceSec, priority }: Omit<CatalogueEntry, 'mode'>) {
  return { code, title, sloMin, cadenceSec, priority };
}

function modeOf(plan: ReportPlan): StreamMode {
  if (plan.how === 'list') return 'list';
  return plan.how === 'snapshot' ? 'present' : 'report';
}

/** Amazon lists the reports that it made by itself for so long, days. */
const LISTED_DAYS = 90;
/** The history that the marketplace keeps, days. */
const KEPT_DAYS = 730;

/** How many days back a backfill may reach; null where a stream shows the present only. */
export function backfillDaysOf({ window, plan }: CatalogueEntry): number | null {
  if (plan) {
    if (plan.how === 'list') return LISTED_DAYS;
    return plan.how === 'snapshot' ? null : KEPT_DAYS;
  }
  return window ? KEPT_DAYS : null;
}
