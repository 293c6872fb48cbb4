import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Config } from '#kit/server/config.ts';
import { authSeller, authUrl, bindSeller, saveStore } from '#modules/marketplace/contract/stores.ts';
import { accountHealth } from '#modules/marketplace/contract/sync.ts';
import { conformance } from '#sandbox/conformance/check.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/index.ts';
import { sandboxAddresses } from '#src/app/sandbox.ts';
import { PATIENCE_MS } from './patience.ts';
import { createWorld, type Person, type World } from './world.ts';

export interface MarketplaceWorld extends World {
  sandbox: Sandbox;
  /** Processes that work for it: a story that fails half-way leaves none behind. */
  workers: Set<ChildProcess>;
}

const DAY = 86_400_000;

/**
 * A product beside a sandbox marketplace of its own: the small scenario, its clock frozen after 45 days of business,
 * reports at once, limits that nobody reaches. Whatever a test is about it sets itself.
 */
export async function createMarketplaceWorld(
  options: SandboxOptions = {},
  settings: Partial<Config> = {},
): Promise<MarketplaceWorld> {
  const startAt = options.startAt ?? Date.UTC(2026, 5, 1);
  const models = conformance();
  const sandbox = await startSandbox({
    watch: models.watch,
    scenario: 'tiny',
    seed: 'test-1',
    startAt,
    clock: { mode: 'frozen', at: startAt + 45 * DAY + 7 * 3_600_000 },
    rateFactor: 100_000,
    reportDelayMs: [0, 0],
    ...options,
  });
  const world = await createWorld({
    marketplace: sandboxAddresses(sandbox.url),
    leaseSec: 4,
    retryBaseMs: 40,
    reportMinuteMs: 5,
    backgroundDelaySec: 0,
    feedPauseSec: 0,
    // The sandbox's sellers have begun this year: twenty months of nothing, each asked for twice, are told in a story of their own.
    orderHistoryDays: 120,
    ...settings,
  });
  const workers = new Set<ChildProcess>();
  return {
    ...world,
    sandbox,
    workers,
    async close() {
      for (const worker of workers) worker.kill('SIGKILL');
      await world.close();
      await sandbox.close();
      // Whatever a test was about, no call of its product may have been other than Amazon's models describe.
      expect(models.problems()).toEqual([]);
    },
  };
}

/** Agrees on the consent page as a person would; returns the address that the browser is sent to. */
export async function agree(address: string, sellingPartnerId: string, decision = 'agree'): Promise<URL | undefined> {
  const page = new URL(address);
  const form = new URLSearchParams(page.searchParams);
  form.set('selling_partner_id', sellingPartnerId);
  form.set('decision', decision);
  const response = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  const target = response.headers.get('location');
  return target ? new URL(target) : undefined;
}

export interface Connected {
  accountId: string;
  storeId: string;
}

/** Makes a store and connects one seller account to it through the whole consent. */
export async function connectStore(
  person: Person,
  sellingPartnerId = 'A1SANDBOX0001',
  marketplaceId = 'ATVPDKIKX0DER',
): Promise<Connected> {
  const storeId = await person.call(saveStore, { body: { name: `店铺 ${sellingPartnerId} ${marketplaceId}` } });
  const address = await person.call(authUrl, { query: { groupid: storeId, marketplaceId } });
  const back = await agree(address, sellingPartnerId);
  if (!back) throw new Error('the consent page sent nobody back');
  const { id } = await person.call(authSeller, {
    query: {
      state: back.searchParams.get('state') ?? '',
      selling_partner_id: back.searchParams.get('selling_partner_id') ?? '',
      spapi_oauth_code: back.searchParams.get('spapi_oauth_code') ?? '',
    },
  });
  return { accountId: id, storeId };
}

/**
 * Waits until everything that the first synchronisation asks for has arrived; gives up once nothing came for so long. Calls
 * that are throttled wait a minute for each token of the published plan, several of them one after the other.
 */
export async function untilSynced(person: Person, accountId: string, patienceMs = PATIENCE_MS): Promise<void> {
  let seen = '';
  let deadline = 0;
  for (;;) {
    const health = await person.call(accountHealth, { query: { authid: accountId } });
    if (health.firstSyncDone) return;
    // A machine that does much else besides is slow, and still gets on.
    const come = JSON.stringify([health.backfill, health.streams.map((stream) => stream.state)]);
    if (come !== seen) deadline = Date.now() + patienceMs;
    seen = come;
    if (Date.now() > deadline) {
      const stores = await person.call(bindSeller, {});
      throw new Error(`not synchronised: ${JSON.stringify({ health, stores })}`);
    }
    await sleep(200);
  }
}
