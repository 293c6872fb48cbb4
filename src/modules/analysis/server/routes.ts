import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as cares from '../contract/care.ts';
import * as issues from '../contract/issues.ts';
import * as ranks from '../contract/ranks.ts';
import { listingTimeline, listingTrend } from '../contract/trend.ts';
import { exportWall, listWall } from '../contract/wall.ts';
import { care, people } from './care.ts';
import { exportAll } from './export.ts';
import { exportIssues, ignore, issueCounts, issuePage } from './issues.ts';
import { freshness, wallPage } from './list.ts';
import { markAll } from './mark.ts';
import { detailOf } from './ranks/detail.ts';
import { exportRanked, rankCounts, rankPage } from './ranks/list.ts';
import { timelineOf } from './timeline.ts';
import { trend } from './trend.ts';
import { putWeights, readWeights } from './weights.ts';

export const routes: AnyRoute[] = [
  serve(listWall, (ctx, { body }) => wallPage(ctx, body)),
  serveOpen(exportWall, (open, { body }) => exportAll(open, body)),
  serve(listingTrend, (ctx, { params, query }) => trend(ctx, params.id, Number(query.days))),
  serve(listingTimeline, (ctx, { params, query }) => timelineOf(ctx, params.id, Number(query.days))),
  serve(ranks.listRanks, (ctx, { body }) => rankPage(ctx, body)),
  serve(ranks.countRanks, (ctx, { body }) => rankCounts(ctx, body.filter)),
  serveOpen(ranks.exportRanks, (open, { body }) => exportRanked(open, body)),
  serve(ranks.rankDetail, (ctx, { params, query }) => detailOf(ctx, params.id, Number(query.days))),
  serve(issues.listIssues, (ctx, { body }) => issuePage(ctx, body)),
  serve(issues.countIssues, (ctx, { body }) => issueCounts(ctx, body.filter)),
  serveOpen(issues.exportIssues, (open, { body }) => exportIssues(open, body)),
  serve(issues.ignoreListingIssues, (ctx, { body }) => ignore(ctx, body)),
  serve(cares.careListings, (ctx, { body }) => care(ctx, body)),
  serve(cares.carePeople, (ctx) => people(ctx)),
  serve(cares.readWeights, (ctx) => readWeights(ctx)),
  serve(cares.saveWeights, (ctx, { body }) => putWeights(ctx, body)),
  serve(cares.refreshWall, async (ctx) => ({ accounts: await markAll(ctx), asOf: await freshness(ctx) })),
];
