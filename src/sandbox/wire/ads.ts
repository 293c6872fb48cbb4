import type { FastifyInstance } from 'fastify';
import type { SimAccount } from '../business/types.ts';
import { registerAdsBrands } from './ads-brands.ts';
import { registerAdsDisplay } from './ads-display.ts';
import { registerAdsEntities } from './ads-entities.ts';
import { AdsError, type AdsRoute, answerAds, profileIdOf } from './ads-gate.ts';
import { registerAdsHistory } from './ads-history.ts';
import { registerAdsReports } from './ads-reports.ts';
import type { World } from './world.ts';

function profileShape(world: World, account: SimAccount, marketplaceId: string): object {
  const market = world.marketplace(marketplaceId);
  return {
    profileId: profileIdOf(account, marketplaceId),
    // This API calls the United Kingdom by its other name.
    countryCode: market.countryCode === 'GB' ? 'UK' : market.countryCode,
    currencyCode: market.currency,
    dailyBudget: 999_999_999,
    timezone: market.timeZone,
    accountInfo: {
      marketplaceStringId: marketplaceId,
      id: account.sellingPartnerId,
      type: 'seller',
      name: account.storeName,
      validPaymentMethod: true,
    },
  };
}

const BASE = '/ads/:region(na|eu|fe)';

/** The advertising API below /ads/:region: profiles, the three products, changes, reports; everything else there answers 501. */
export function registerAds(server: FastifyInstance, world: World): void {
  server.addContentTypeParser(/^application\/vnd\.[\w.-]+\+json/, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new AdsError(400, 'BAD_REQUEST', 'The body is no JSON'));
    }
  });
  server.get<AdsRoute>(`${BASE}/v2/profiles`, (request, reply) =>
    answerAds(world, 'listProfiles', request, reply, (account) => ({
      body: account.marketplaceIds.map((id) => profileShape(world, account, id)),
    })),
  );
  server.get<AdsRoute>(`${BASE}/v2/profiles/:profileId`, (request, reply) =>
    answerAds(world, 'getProfileById', request, reply, (account) => {
      const wanted = request.params.profileId;
      const id = account.marketplaceIds.find((one) => String(profileIdOf(account, one)) === wanted);
      if (id === undefined) throw new AdsError(404, 'NOT_FOUND', `Could not find profile with ID ${wanted}`);
      return { body: profileShape(world, account, id) };
    }),
  );
  registerAdsEntities(server, world, BASE);
  registerAdsBrands(server, world, BASE);
  registerAdsDisplay(server, world, BASE);
  registerAdsHistory(server, world, BASE);
  registerAdsReports(server, world, BASE);
  server.all('/ads/*', async (request, reply) =>
    reply.code(501).send({ code: 'NOT_IMPLEMENTED', details: `${request.method} ${request.url.split('?')[0]}` }),
  );
}
