import type { Ctx } from '#kit/server/context.ts';
import {
  type AdsStreamDef,
  type AdsStreamRun,
  ComeBackLater,
  type Fetched,
  type LandCounts,
} from '#modules/marketplace/server/index.ts';
import { REPORT_DAYS, reportSpan } from './read/days.ts';
import { readStructure } from './read/entities.ts';
import { GRAINS, type Grain } from './read/grains.ts';
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

/** Codes of the streams whose freshness the figures have. */
export const FIGURE_STREAMS = GRAINS.map((grain) => streamCode(grain));

function streamCode({ code }: Grain): string {
  return `advertising.${code}`;
}

const structure: AdsStreamDef = {
  code: 'advertising.structure',
  title: '广告结构',
  cadenceSec: 6 * HOUR_SEC,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: ANY_WINDOW,
  historySec: 0,
  priority: LAST,
  sloMin: 13 * 60,
  fetch: async (run) => {
    const asOf = run.window.to;
    const found = await readStructure(run.api, run.profile.profileId);
    const of = { ...keyOf(run), currency: run.profile.currency, asOf };
    return { land: (ctx) => landStructure(ctx, of, found) };
  },
};

/** Each run is one report of the last 31 days: new days, and what was restated in those before. */
function daily(grain: Grain): AdsStreamDef {
  return {
    code: streamCode(grain),
    title: grain.title,
    cadenceSec: 12 * HOUR_SEC,
    overlapSec: 0,
    safetyLagSec: 0,
    maxWindowSec: REPORT_DAYS * DAY_SEC,
    historySec: 0,
    priority: LAST,
    sloMin: 26 * 60,
    fetch: async (run) => {
      const report = await readReport(run, grain, reportSpan(run.window, run.profile.timeZone));
      return { land: (ctx) => landReport(ctx, keyOf(run), report) };
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

/**
 * Orders may follow a click for weeks: the 31 days before those of the daily reading, once a week. The first time it
 * brings the older half of the history; days before that may come back short from Amazon.
 */
const restated: AdsStreamDef = {
  code: 'advertising.restated',
  title: '广告归因修正',
  cadenceSec: 7 * DAY_SEC,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: ANY_WINDOW,
  historySec: 0,
  priority: LAST + 10,
  sloMin: 8 * 24 * 60,
  fetch: async (run): Promise<Fetched> => {
    const span = reportSpan(run.window, run.profile.timeZone, REPORT_DAYS);
    const reports: ReadReport[] = [];
    let missing: ComeBackLater | undefined;
    // All are asked for before the first is waited for: Amazon makes them side by side.
    for (const grain of GRAINS) {
      try {
        reports.push(await readReport(run, grain, span));
      } catch (error) {
        if (!(error instanceof ComeBackLater)) throw error;
        missing = error;
      }
    }
    if (missing) throw missing;
    return { land: (ctx) => landAll(ctx, run, reports) };
  },
};

export const advertisingStreams: readonly AdsStreamDef[] = [structure, ...GRAINS.map(daily), restated];
