import { readFileSync } from 'node:fs';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { REGION_NAMES } from '#modules/marketplace/contract/marketplaces.ts';
import { syncOfAccounts } from '#modules/marketplace/server/index.ts';
import type { service } from '../contract/cards.ts';

const PACKAGE = new URL('../../../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

const NAMED = 3;

/** The version, who administers the company, and how fresh the accounts that the caller reaches are. */
export async function serviceOf(ctx: Ctx): Promise<Reply<typeof service>> {
  const { members } = await chartOf(ctx);
  const contacts = [...members.values()].filter(({ owner, active }) => owner && active).map(({ name }) => name);
  const accounts = can(ctx, 'dash:home:view') ? await syncOfAccounts(ctx) : [];
  return {
    version,
    contacts: contacts.slice(0, NAMED),
    stores: accounts.map(({ accountId, store, region, streams, lastSyncAt }) => ({
      accountId,
      name: `${store}-${REGION_NAMES[region]}`,
      at: lastSyncAt,
      late: streams.filter(({ state }) => state !== 'ready' && state !== 'running').length,
      streams: streams.length,
    })),
  };
}
