import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { cashKinds, exportCash, listCash, readForecast } from '../contract/forecast.ts';
import { readCashSetting, saveCashSetting } from '../contract/setting.ts';
import { seenSources } from './gather.ts';
import { cashFile, cashPage } from './list.ts';
import { forecast } from './read.ts';
import { saveSetting, settingOf } from './setting.ts';

/** What cash is expected to do. */
export const routes: AnyRoute[] = [
  serve(readForecast, (ctx, { body }) => forecast(ctx, body.horizon)),
  serve(cashKinds, async (ctx) => seenSources(ctx).map(({ kind, title }) => ({ kind, title }))),
  serve(listCash, (ctx, { body }) => cashPage(ctx, body)),
  serveOpen(exportCash, (open, { body }) => cashFile(open, body)),
  serve(readCashSetting, (ctx) => settingOf(ctx)),
  serve(saveCashSetting, (ctx, { body }) => saveSetting(ctx, body)),
];
