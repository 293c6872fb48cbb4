import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as alerts from '../contract/alerts.ts';
import { assign, mute } from './act.ts';
import { alertPage, counts, exportAll, history } from './list.ts';
import { deleteRule, readRules, saveRule } from './rules.ts';

export const routes: AnyRoute[] = [
  serve(alerts.listAlerts, (ctx, { body }) => alertPage(ctx, body)),
  serveOpen(alerts.exportAlerts, (open, { body }) => exportAll(open, body)),
  serve(alerts.countAlerts, (ctx, { body }) => counts(ctx, body.filter)),
  serve(alerts.alertHistory, (ctx, { params }) => history(ctx, params.id)),
  serve(alerts.muteAlerts, (ctx, { body }) => mute(ctx, body)),
  serve(alerts.assignAlerts, (ctx, { body }) => assign(ctx, body)),
  serve(alerts.readAlertRules, (ctx) => readRules(ctx)),
  serve(alerts.saveAlertRule, (ctx, { body }) => saveRule(ctx, body)),
  serve(alerts.deleteAlertRule, (ctx, { body }) => deleteRule(ctx, body)),
];
