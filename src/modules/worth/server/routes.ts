import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as months from '../contract/months.ts';
import * as worth from '../contract/worth.ts';
import { rebuild } from './make/rebuild.ts';
import { freeze, monthRows, reopen } from './months.ts';
import { detail } from './read/detail.ts';
import { diff } from './read/diff.ts';
import { exportAll, worthPage } from './read/list.ts';
import { choices } from './read/names.ts';
import { summary } from './read/summary.ts';
import { trend } from './read/trend.ts';
import { readAll, save } from './write-down.ts';

export const routes: AnyRoute[] = [
  serve(worth.listWorth, (ctx, { body }) => worthPage(ctx, body)),
  serveOpen(worth.exportWorth, (open, { body }) => exportAll(open, body)),
  serve(worth.worthSummary, (ctx, { body }) => summary(ctx, body.filter)),
  serve(worth.worthTrend, (ctx, { body }) => trend(ctx, body)),
  serve(worth.worthDiff, (ctx, { body }) => diff(ctx, body)),
  serve(worth.worthDetail, (ctx, { body }) => detail(ctx, body)),
  serve(worth.worthChoices, (ctx) => choices(ctx)),
  serve(months.listWorthMonths, (ctx) => monthRows(ctx)),
  serve(months.freezeMonth, (ctx, { body }) => freeze(ctx, body)),
  serve(months.reopenMonth, (ctx, { body }) => reopen(ctx, body)),
  serve(months.readWriteDowns, (ctx) => readAll(ctx)),
  serve(months.saveWriteDown, (ctx, { body }) => save(ctx, body)),
  serve(months.rebuildWorth, (ctx, { body }) => rebuild(ctx, body.from)),
];
