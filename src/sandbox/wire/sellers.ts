import { iso } from './clock.ts';
import type { Answer, Call, Operation } from './operation.ts';

function participations(call: Call): unknown[] {
  return call.account.marketplaceIds.map((id) => {
    const marketplace = call.world.marketplace(id);
    return {
      marketplace: {
        id,
        name: marketplace.salesChannel,
        countryCode: marketplace.countryCode,
        defaultCurrencyCode: marketplace.currency,
        defaultLanguageCode: languageCode(marketplace.language, marketplace.countryCode),
        domainName: `www.${marketplace.salesChannel.toLowerCase()}`,
      },
      participation: { isParticipating: true, hasSuspendedListings: false },
      storeName: call.account.storeName,
    };
  });
}

/** "en" in GB is "en_GB": the form that the API gives. */
function languageCode(language: string, countryCode: string): string {
  return language.includes('_') ? language : `${language}_${countryCode}`;
}

function getMarketplaceParticipations(call: Call): Answer {
  return { body: { payload: participations(call) } };
}

function getAccount(call: Call): Answer {
  const home = call.world.marketplace(call.account.marketplaceIds[0] ?? '');
  const address = {
    addressLine1: '1 Sandbox Street',
    city: 'Sandbox',
    postalCode: '00000',
    countryCode: home.countryCode,
  };
  return {
    body: {
      payload: {
        marketplaceParticipationList: participations(call),
        businessType: 'PRIVATE_LIMITED',
        sellingPlan: 'PROFESSIONAL',
        business: {
          name: `${call.account.storeName} (sandbox)`,
          registeredBusinessAddress: address,
          companyRegistrationNumber: `SANDBOX-${iso(call.world.startAt).slice(0, 4)}`,
        },
        primaryContact: { name: 'Sandbox Contact', address },
      },
    },
  };
}

/** Sellers API v1. */
export const sellerOperations: Operation[] = [
  {
    name: 'getMarketplaceParticipations',
    method: 'GET',
    path: '/sellers/v1/marketplaceParticipations',
    plan: { rate: 0.016, burst: 15 },
    handle: getMarketplaceParticipations,
  },
  {
    name: 'getAccount',
    method: 'GET',
    path: '/sellers/v1/account',
    plan: { rate: 0.016, burst: 15 },
    handle: getAccount,
  },
];
