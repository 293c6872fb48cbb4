import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import {
  beginAdsConsent,
  beginConsent,
  finishAdsConsent,
  finishConsent,
  putStore,
} from '#modules/marketplace/server/index.ts';

interface DemoStore {
  name: string;
  region: 'na' | 'fe';
  /** Country whose consent page is used, and the seller that agrees there. */
  country: string;
  marketplaceId: string;
  sellingPartnerId: string;
}

/** Half of the sandbox's seller accounts; the other half waits for the user's own first authorisation. */
const AUTHORISED: readonly DemoStore[] = [
  { name: '启航家居', region: 'na', country: 'US', marketplaceId: 'ATVPDKIKX0DER', sellingPartnerId: 'A1SANDBOX0001' },
  {
    name: 'Lumipaw 宠物',
    region: 'fe',
    country: 'JP',
    marketplaceId: 'A1VC38T7YXB528',
    sellingPartnerId: 'A2SANDBOX0002',
  },
];

/** Does what a person does on the consent page: agrees for one seller and comes back with state and code. */
async function agree(address: string, sellingPartnerId: string): Promise<URL> {
  const page = new URL(address);
  const form = new URLSearchParams(page.searchParams);
  form.set('selling_partner_id', sellingPartnerId);
  form.set('decision', 'agree');
  const response = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  const target = response.headers.get('location');
  if (!target) throw new Error(`consent page answered ${response.status}`);
  return new URL(target);
}

async function authorise(runtime: Runtime, principal: Principal, store: DemoStore): Promise<void> {
  const { address, storeId } = await inTenant(runtime, principal, async (ctx: Ctx) => {
    const storeId = await putStore(ctx, { name: store.name });
    return { storeId, address: await beginConsent(ctx, { storeId, marketplaceId: store.marketplaceId }) };
  });
  const back = await agree(address, store.sellingPartnerId);
  await finishConsent(runtime, {
    state: back.searchParams.get('state') ?? '',
    sellingPartnerId: back.searchParams.get('selling_partner_id') ?? '',
    code: back.searchParams.get('spapi_oauth_code') ?? '',
  });
  await authoriseAds(runtime, principal, store, storeId);
}

async function authoriseAds(runtime: Runtime, principal: Principal, store: DemoStore, storeId: string): Promise<void> {
  const { region, sellingPartnerId } = store;
  const address = await inTenant(runtime, principal, (ctx: Ctx) => beginAdsConsent(ctx, { storeId, region }));
  const back = await agree(address, sellingPartnerId);
  const part = (name: string) => back.searchParams.get(name) ?? '';
  await finishAdsConsent(runtime, { state: part('state'), code: part('code') });
}

const TRIES = 5;

/** Connects the demo's first stores over the wire, exactly as a browser would. */
export async function connectDemoStores(runtime: Runtime, principal: Principal): Promise<void> {
  for (const store of AUTHORISED) {
    for (let tries = 1; ; tries += 1) {
      try {
        await authorise(runtime, principal, store);
        break;
      } catch (error) {
        if (tries === TRIES) throw error;
        await sleep(500 * tries);
      }
    }
  }
}
