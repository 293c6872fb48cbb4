import { notFound } from '#kit/server/errors.ts';
import { type AnyRoute, serve, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import * as apiLog from '../contract/api-log.ts';
import { REGION_NAMES, type Region } from '../contract/marketplaces.ts';
import * as stores from '../contract/stores.ts';
import * as sync from '../contract/sync.ts';
import * as matrix from '../contract/sync-matrix.ts';
import * as apiUsage from '../contract/usage.ts';
import { addressRoutes } from './addresses/routes.ts';
import { adsRoutes } from './ads/routes.ts';
import { callDetailOf, callPage, exportCallFile } from './api/calls.ts';
import { usageChartOf, usagePage } from './api/usage.ts';
import { accountOf } from './auth/accounts.ts';
import { beginConsent, finishConsent } from './auth/consent.ts';
import { deleteAccount, disableAccount } from './auth/end.ts';
import { savePrivate } from './auth/private.ts';
import { renewLinks } from './auth/renew.ts';
import { changeSite } from './auth/sites.ts';
import { archiveStore, authorisedSites, boundSellers, putStore, sortStores, storeList } from './auth/stores.ts';
import { feedRoutes } from './feeds/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { performanceRoutes } from './performance/routes.ts';
import { quarantineRoutes } from './quarantine/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { accountHealth } from './sync/health.ts';
import { matrixOf } from './sync/matrix.ts';
import { startAccount, syncAtOnce } from './sync/start.ts';
import { backfill, cancel, pause, resumePaused, runNow } from './sync/stream-actions.ts';
import { detailOf } from './sync/stream-detail.ts';
import { uploadRoutes } from './upload/routes.ts';
import { writeRoutes } from './writes/routes.ts';

const success = 'success' as const;

const storeRoutes: AnyRoute[] = [
  serve(stores.bindSeller, async (ctx) => ({ stores: await boundSellers(ctx) })),
  serve(stores.authUrl, (ctx, { query }) =>
    beginConsent(ctx, { storeId: query.groupid, marketplaceId: query.marketplaceId, accountId: query.authid }),
  ),
  servePublic(stores.authSeller, (ctx, { query }) =>
    finishConsent(ctx.runtime, {
      state: query.state,
      sellingPartnerId: query.selling_partner_id,
      code: query.spapi_oauth_code,
    }),
  ),
  serve(stores.regionByGroup, async (ctx, { query }) => {
    const store = (await boundSellers(ctx)).find((entry) => entry.groupid === query.groupid);
    if (!store) throw notFound('店铺不存在或已删除');
    return (Object.keys(REGION_NAMES) as Region[]).map((region) => ({
      region,
      regionname: REGION_NAMES[region],
      authid: store.regionslist.find((account) => account.region === region)?.authid ?? null,
    }));
  }),
  serve(stores.authMarketplace, (ctx) => authorisedSites(ctx)),
  serve(stores.disableSeller, async (ctx, { query }) => {
    await disableAccount(ctx, query.authid, query.sellerid);
    return success;
  }),
  serve(stores.listStores, (ctx) => storeList(ctx)),
  serve(stores.sortStores, async (ctx, { body }) => {
    await sortStores(ctx, body.ids);
    return success;
  }),
  serveOpen(stores.saveAuth, (open, { body }) => savePrivate(open, body)),
  serve(stores.renewLinks, (ctx, { body }) => renewLinks(ctx, body.authids)),
  serve(stores.deleteSeller, async (ctx, { body }) => {
    await deleteAccount(ctx, body.authid, body.sellerid);
    return success;
  }),
  serve(stores.changeSite, async (ctx, { query }) => {
    await changeSite(ctx, query.authid, query.marketplaceid, query.enabled === '1');
    return success;
  }),
  serve(stores.saveStore, (ctx, { body }) => putStore(ctx, body)),
  serve(stores.deleteStore, async (ctx, { params }) => {
    await archiveStore(ctx, params.id);
    return success;
  }),
];

const syncRoutes: AnyRoute[] = [
  serve(stores.refreshMarkets, async (ctx, { query }) => {
    if (!(await accountOf(ctx.db, ctx.companyId, query.authid))) throw notFound('授权不存在或已删除');
    await startAccount(ctx, query.authid);
    return success;
  }),
  serve(sync.accountHealth, (ctx, { query }) => accountHealth(ctx, query.authid)),
  serve(sync.syncNow, async (ctx, { body }) => {
    if (!(await accountOf(ctx.db, ctx.companyId, body.authid))) throw notFound('授权不存在或已删除');
    await syncAtOnce(ctx, body.authid);
    return success;
  }),
  serve(apiUsage.listUsage, (ctx, { body }) => usagePage(ctx, body)),
  serve(apiUsage.usageChart, (ctx, { body }) => usageChartOf(ctx, body.filter)),
  serve(apiLog.listCalls, (ctx, { body }) => callPage(ctx, body)),
  serve(apiLog.callDetail, (ctx, { params }) => callDetailOf(ctx, params.id)),
  serveOpen(apiLog.exportCalls, (open, { body }) => exportCallFile(open, body)),
];

const matrixRoutes: AnyRoute[] = [
  serve(matrix.syncMatrix, (ctx, { query }) => matrixOf(ctx, query)),
  serve(matrix.streamDetail, (ctx, { query }) => detailOf(ctx, query.authid, query.stream)),
  serve(matrix.runStream, async (ctx, { body }) => {
    await runNow(ctx, body);
    return success;
  }),
  serve(matrix.pauseStream, async (ctx, { body }) => {
    await pause(ctx, body);
    return success;
  }),
  serve(matrix.resumeStream, async (ctx, { body }) => {
    await resumePaused(ctx, body);
    return success;
  }),
  serve(matrix.backfillStream, (ctx, { body }) => backfill(ctx, body)),
  serve(matrix.cancelBackfill, async (ctx, { body }) => {
    await cancel(ctx, body.id);
    return success;
  }),
];

export const routes: AnyRoute[] = [
  ...storeRoutes,
  ...adsRoutes,
  ...addressRoutes,
  ...performanceRoutes,
  ...syncRoutes,
  ...matrixRoutes,
  ...reportRoutes,
  ...feedRoutes,
  ...writeRoutes,
  ...quarantineRoutes,
  ...notificationRoutes,
  ...uploadRoutes,
];
