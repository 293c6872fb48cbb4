import { type AnyRoute, serve, servePublic } from '#kit/server/http/serve.ts';
import { ssoIsRun } from '../../contract/session.ts';
import {
  addSsoDomain,
  removeSsoDomain,
  ssoBackchannel,
  ssoCallback,
  ssoDomains,
  ssoLogout,
  ssoStart,
  ssoTake,
} from '../../contract/sso.ts';
import { addDomain, listDomains, removeDomain } from './domains.ts';
import { beginSso, finishSso } from './login.ts';
import { hearOfLogout, leaveSso } from './logout.ts';
import { authServer, providerRuns } from './provider.ts';
import { takeSession } from './take.ts';

const isRun = servePublic(ssoIsRun, async ({ runtime }) =>
  runtime.config.sso && (await providerRuns(runtime)) ? authServer(runtime.config) : 'false',
);

export const ssoRoutes: AnyRoute[] = [
  isRun,
  servePublic(ssoStart, (ctx) => beginSso(ctx)),
  servePublic(ssoCallback, (ctx, { query }) => finishSso(ctx, query)),
  servePublic(ssoTake, (ctx, { body }) => takeSession(ctx, body.jsessionid)),
  servePublic(ssoLogout, (ctx) => leaveSso(ctx)),
  servePublic(ssoBackchannel, (ctx, { body }) => hearOfLogout(ctx, body.logout_token)),
  serve(ssoDomains, (ctx) => listDomains(ctx)),
  serve(addSsoDomain, (ctx, { body }) => addDomain(ctx, body)),
  serve(removeSsoDomain, async (ctx, { params }) => {
    await removeDomain(ctx, params.id);
    return 'success' as const;
  }),
];
