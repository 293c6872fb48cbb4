import type { Ctx } from '#kit/server/context.ts';
import {
  type AdsApi,
  type AdsStreamDef,
  type AdsStreamRun,
  ComeBackLater,
  type Fetched,
  type LandCounts,
} from '#modules/marketplace/server/index.ts';
import { REPORT_DAYS, reportSpan } from './read/days.ts';
import { readStructure } from './read/entities.ts';
import { readBrands } from './read/entities-brands.ts';
import { readDisplay } from './read/entities-display.ts';
import type { Structure } from './read/facts.ts';
import { BRAND_GRAINS, DISPLAY_GRAINS, GRAINS, type Grain } from './read/grains.ts';
import { landChanges, readChanges } from './read/history.ts';
import { landReport, type ProfileKey } from './read/land-days.ts';
import { landStructure } from './read/land-structure.ts';
import { type ReadReport, readReport } from './read/report.ts';

const HOUR_SEC = 3600;
const DAY_SEC = 24 * HOUR_SEC;
/** No window of these is cut: what they read does not depend on how long ago they ran. */
const ANY_WINDOW = 3650 * DAY_SEC;
/** Behind everything that a seller waits for, and behind backfills. */
const LAST = 120;

const keyOf = ({ account, profile }: AdsStreamRun): ProfileKey => ({
  accountId: account.id,
  marketplaceId: profile.marketplaceId,
  profileId: profile.profileId,
});

/** What all these streams have in common. */
const COMMON = { overlapSec: 0, safetyLagSec: 0, historySec: 0 } as const;

/** Codes of the streams whose freshness the figures have. */
export const FIGURE_STREAMS = [...GRAINS.map(({ code }) => code), 'brands', 'display'].map(
  (code) => `advertising.${code}`,
);
export const CHANGE_STREAMS = ['advertising.changes'];
export const STRUCTURE_STREAMS = ['structure', 'brandStructure', 'displayStructure'].map(
  (code) => `advertising.${code}`,
);

type Named = Pick<AdsStreamDef, 'code' | 'title'>;

function structureOf(named: Named, read: (api: AdsApi, profileId: string) => Promise<Structure>): AdsStreamDef {
  return {
    ...named,
    ...COMMON,
    cadenceSec: 6 * HOUR_SEC,
    maxWindowSec: ANY_WINDOW,
    priority: LAST,
    sloMin: 13 * 60,
    fetch: async (run) => {
      const asOf = run.window.to;
      const found = await read(run.api, run.profile.profileId);
      const of = { ...keyOf(run), currency: run.profile.currency, asOf };
      return { land: (ctx) => landStructure(ctx, of, found) };
    },
  };
}

async function landAll(ctx: Ctx, run: AdsStreamRun, reports: readonly ReadReport[]): Promise<LandCounts> {
  const sum = { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0 };
  for (const report of reports) {
    const counts = await landReport(ctx, keyOf(run), report);
    sum.rowsIn += counts.rowsIn;
    sum.inserted += counts.inserted;
    sum.updated += counts.updated;
    sum.unchanged += counts.unchanged;
  }
  return sum;
}

/** Reports of several grains and ages. All are asked for before the first is waited for: Amazon makes them side by side. */
async function readAll(run: AdsStreamRun, grains: readonly Grain[], ages: readonly number[]): Promise<Fetched> {
  const reports: ReadReport[] = [];
  let missing: ComeBackLater | undefined;
  for (const grain of grains) {
    for (const age of ages) {
      const span = reportSpan(run.window, run.profile.timeZone, grain.product, age);
      if (!span) continue;
      try {
        reports.push(await readReport(run, grain, span));
      } catch (error) {
        if (!(error instanceof ComeBackLater)) throw error;
        missing = error;
      }
    }
  }
  if (missing) throw missing;
  return { land: (ctx) => landAll(ctx, run, reports) };
}

/** Each run reads one report of each grain, of the last 31 days: new days, and what was restated in those before. */
function daily(named: Named, grains: readonly Grain[]): AdsStreamDef {
  return {
    ...named,
    ...COMMON,
    cadenceSec: 12 * HOUR_SEC,
    maxWindowSec: REPORT_DAYS * DAY_SEC,
    priority: LAST,
    sloMin: 26 * 60,
    fetch: (run) => readAll(run, grains, [0]),
  };
}

/**
 * How many days before those of the daily reading each further report begins to look back: the first time, and after a
 * pause that was longer than a report is, all that Amazon keeps, else what may still be restated.
 */
function agesOf({ from, to }: AdsStreamRun['window']): readonly number[] {
  const pause = Date.parse(to) - Date.parse(from);
  return pause <= 0 || pause > REPORT_DAYS * DAY_SEC * 1000 ? [REPORT_DAYS, 2 * REPORT_DAYS] : [REPORT_DAYS];
}

/** Orders may follow a click for weeks: the 31 days before those of the daily reading, once a week; at first all. */
function restated(named: Named, grains: readonly Grain[]): AdsStreamDef {
  return {
    ...named,
    ...COMMON,
    cadenceSec: 7 * DAY_SEC,
    maxWindowSec: ANY_WINDOW,
    priority: LAST + 10,
    sloMin: 8 * 24 * 60,
    fetch: (run) => readAll(run, grains, agesOf(run.window)),
  };
}

const changes: AdsStreamDef = {
  code: 'advertising.changes',
  title: '广告操作记录',
  ...COMMON,
  cadenceSec: 6 * HOUR_SEC,
  maxWindowSec: ANY_WINDOW,
  priority: LAST,
  sloMin: 13 * 60,
  fetch: async (run) => {
    const found = await readChanges(run);
    return { land: (ctx) => landChanges(ctx, keyOf(run), found) };
  },
};

const of = (code: string, title: string): Named => ({ code: `advertising.${code}`, title });

/** Sellers without a brand have no Sponsored Brands: what is refused of one product stops none of the others. */
export const advertisingStreams: readonly AdsStreamDef[] = [
  structureOf(of('structure', '广告结构'), readStructure),
  structureOf(of('brandStructure', '品牌推广结构'), readBrands),
  structureOf(of('displayStructure', '展示型推广结构'), readDisplay),
  ...GRAINS.map((grain) => daily(of(grain.code, grain.title), [grain])),
  daily(of('brands', '品牌推广日报'), BRAND_GRAINS),
  daily(of('display', '展示型推广日报'), DISPLAY_GRAINS),
  restated(of('restated', '广告归因修正'), GRAINS),
  restated(of('brandsRestated', '品牌推广归因修正'), BRAND_GRAINS),
  restated(of('displayRestated', '展示型推广归因修正'), DISPLAY_GRAINS),
  changes,
];
