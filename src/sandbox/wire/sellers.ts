import type { Region } from '../business/types.ts';
import { iso } from './clock.ts';
import type { Answer, Call, Operation } from './operation.ts';

/** Where orders of other shops are fulfilled: Amazon tells them beside the real ones, and nothing can be read of them. */
const NON_AMAZON: Readonly<
  Partial<Record<Region, { id: string; country: string; currency: string; language: string }>>
> = {
  na: { id: 'A2ZV50J4W1RKNI', country: 'US', currency: 'USD', language: 'en_US' },
  eu: { id: 'A1ZFFQZ3HTUKT9', country: 'DE', currency: 'EUR', language: 'de_DE' },
};

function nonAmazon({ account }: Call): unknown[] {
  const found = NON_AMAZON[account.region];
  if (!found) return [];
  return [
    {
      marketplace: {
        id: found.id,
        name: `Non-Amazon ${found.country}`,
        countryCode: found.country,
        defaultCurrencyCode: found.currency,
        defaultLanguageCode: found.language,
        domainName: `siprod.stores.amazon.${found.country.toLowerCase()}`,
      },
      participation: { isParticipating: true, hasSuspendedListings: false },
      storeName: account.storeName,
    },
  ];
}

function participations(call: Call): unknown[] {
  return [...sites(call), ...nonAmazon(call)];
}

function sites(call: Call): unknown[] {
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
