import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import {
  countLoginLog,
  exportLoginLog,
  forceOff,
  getSecurity,
  listLoginLog,
  listOnline,
  saveSecurity,
} from '../../contract/security.ts';
import { loginLogCounts, loginLogFile, loginLogPage } from './login-log.ts';
import { forceSessionsOff, onlinePage } from './online.ts';
import { saveSettings, settings } from './settings.ts';

export const securityRoutes: AnyRoute[] = [
  serve(listOnline, (ctx, { body }) => onlinePage(ctx, body)),
  serve(forceOff, (ctx, { body }) => forceSessionsOff(ctx, body.ids)),
  serve(listLoginLog, (ctx, { body }) => loginLogPage(ctx, body)),
  serve(countLoginLog, (ctx, { body }) => loginLogCounts(ctx, body.filter)),
  serveOpen(exportLoginLog, (open, { body }) => loginLogFile(open, body)),
  serve(getSecurity, (ctx) => settings(ctx)),
  serve(saveSecurity, async (ctx, { body }) => {
    await saveSettings(ctx, body);
    return 'success' as const;
  }),
];
