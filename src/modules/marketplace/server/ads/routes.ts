import { type AnyRoute, serve, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import * as ads from '../../contract/ads.ts';
import { adsGroups, captureAds, disableAds } from './connections.ts';
import { beginAdsConsent, finishAdsConsent } from './consent.ts';
import { listProfiles } from './profiles.ts';

export const adsRoutes: AnyRoute[] = [
  serve(ads.adsBindUrl, (ctx, { query }) => beginAdsConsent(ctx, { storeId: query.groupid, region: query.region })),
  servePublic(ads.adsBind, (ctx, { body }) => finishAdsConsent(ctx.runtime, body)),
  serve(ads.adsDisable, async (ctx, { query }) => {
    await disableAds(ctx, query.id);
    return 'success' as const;
  }),
  serve(ads.adsProfiles, (ctx, { query }) => listProfiles(ctx, query)),
  serveOpen(ads.adsCapture, (open, { query }) => captureAds(open, query.id)),
  serve(ads.adsGroups, (ctx) => adsGroups(ctx)),
];
