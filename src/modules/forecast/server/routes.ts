import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as accuracy from '../contract/accuracy.ts';
import * as forecast from '../contract/forecast.ts';
import * as overrides from '../contract/overrides.ts';
import * as promotions from '../contract/promotions.ts';
import { accuracyPage, exportAccuracies, summary } from './accuracy/list.ts';
import { runAll } from './job.ts';
import { counts, exportAll, forecastPage } from './list.ts';
import { care, change, clear } from './overrides.ts';
import { importSheet } from './overrides-import.ts';
import { templateFile } from './overrides-sheet.ts';
import { promotionPage } from './promotions/list.ts';
import { copy, drop, save } from './promotions/save.ts';
import { series } from './series.ts';

/** A run that is older than this has died. */
const LONGEST = '2 hours';

async function state(ctx: Ctx): Promise<Reply<typeof forecast.forecastState>> {
  // Only an account's newest run may still go on: one that died was followed by another.
  const { rows } = await sql<Reply<typeof forecast.forecastState>>`
    SELECT max(ended_at) AS "asOf",
           coalesce(bool_or(ended_at IS NULL AND is_newest AND started_at > kit.now() - ${LONGEST}::interval), false) AS running,
           coalesce((SELECT count(*) FROM forecast.item WHERE company_id = ${ctx.companyId}), 0)::int AS items
      FROM (SELECT ended_at, started_at, id = first_value(id) OVER (PARTITION BY account_id ORDER BY started_at DESC, id DESC) AS is_newest
              FROM forecast.run WHERE company_id = ${ctx.companyId}) AS r`.execute(ctx.db);
  return rows[0] ?? { asOf: null, running: false, items: 0 };
}

async function run(ctx: Ctx): Promise<{ accounts: number }> {
  const accounts = await runAll(ctx);
  await audit(ctx, { action: '重新计算预测', resource: 'forecast.item', after: { count: accounts } });
  return { accounts };
}

export const routes: AnyRoute[] = [
  serve(forecast.listForecasts, (ctx, { body }) => forecastPage(ctx, body)),
  serve(forecast.countForecasts, (ctx, { body }) => counts(ctx, body.filter)),
  serveOpen(forecast.exportForecasts, (open, { body }) => exportAll(open, body)),
  serve(forecast.forecastSeries, (ctx, { params }) => series(ctx, params.id)),
  serve(forecast.forecastState, state),
  serve(forecast.runForecast, run),
  serve(overrides.saveOverride, (ctx, { body }) => change(ctx, body)),
  serve(overrides.clearOverrides, (ctx, { body }) => clear(ctx, body)),
  serveOpen(overrides.importOverrides, (open, { body }) => importSheet(open, body.write === 'yes')),
  serve(overrides.overrideTemplate, async () => templateFile()),
  serve(overrides.saveCare, (ctx, { body }) => care(ctx, body)),
  serve(promotions.listPromotionDays, (ctx, { body }) => promotionPage(ctx, body)),
  serve(promotions.savePromotion, (ctx, { body }) => save(ctx, body)),
  serve(promotions.dropPromotions, (ctx, { body }) => drop(ctx, body)),
  serve(promotions.copyPromotions, (ctx, { body }) => copy(ctx, body)),
  serve(accuracy.listAccuracy, (ctx, { body }) => accuracyPage(ctx, body)),
  serveOpen(accuracy.exportAccuracy, (open, { body }) => exportAccuracies(open, body)),
  serve(accuracy.accuracySummary, (ctx, { body }) => summary(ctx, body)),
];
