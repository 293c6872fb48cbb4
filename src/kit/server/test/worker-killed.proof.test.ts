import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { enqueue } from '../jobs/enqueue.ts';

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));
const KEY = 'ab'.repeat(32);

/** Stands in for the marketplace: it keeps the first caller waiting and answers the second. */
let marketplace: Server;
let hanging: ServerResponse | undefined;
let calls = 0;
let world: World;
let owner: Person;
let child: ChildProcess | undefined;

beforeAll(async () => {
  marketplace = createServer((_request, response) => {
    calls += 1;
    if (calls === 1) {
      hanging = response;
      return;
    }
    const participation = { isParticipating: true, hasSuspendedListings: false };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ payload: [{ marketplace: { id: 'ATVPDKIKX0DER' }, participation }] }));
  });
  marketplace.listen(0, '127.0.0.1');
  await once(marketplace, 'listening');
  const base = `http://127.0.0.1:${(marketplace.address() as AddressInfo).port}`;
  world = await createWorld({
    secretKey: KEY,
    marketplace: {
      spApiBase: { na: base, eu: base, fe: base },
      lwaTokenUrl: `${base}/token`,
      consentBase: base,
      applicationId: 'app',
      clientId: 'client',
      clientSecret: 'secret',
      clock: 'database',
    },
  });
  owner = await world.owner();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  hanging?.destroy();
  marketplace.closeAllConnections();
  marketplace.close();
  await world.close();
});

/** A seller account with a token that is still good, and the job that opens it. */
async function account(): Promise<string> {
  return world.as(owner, async (ctx) => {
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, name: '店铺' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: ctx.companyId,
        store_id: store.id,
        selling_partner_id: 'A1TEST',
        region: 'na',
        application_id: 'app',
        refresh_token_sealed: ctx.runtime.secrets.encrypt('refresh'),
        access_token_sealed: ctx.runtime.secrets.encrypt('access'),
        access_expires_at: new Date(worldClock().ms() + 3_600_000),
        expires_at: new Date(worldClock().ms() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await enqueue(ctx, 'marketplace.openAccount', { companyId: ctx.companyId, accountId: row.id });
    return row.id;
  });
}

function startWorkerProcess(): ChildProcess {
  const { marketplace: settings, dataDir } = world.runtime.config;
  return spawn(process.execPath, [MAIN, 'worker'], {
    env: {
      ...process.env,
      DATABASE_URL: world.databaseUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: KEY,
      SPAPI_BASE_NA: settings?.spApiBase.na,
      LWA_TOKEN_URL: settings?.lwaTokenUrl,
      SP_CONSENT_BASE: settings?.consentBase,
      SP_APPLICATION_ID: settings?.applicationId,
      SP_CLIENT_ID: settings?.clientId,
      SP_CLIENT_SECRET: settings?.clientSecret,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function sitesOf(accountId: string): Promise<string[]> {
  return world.as(owner, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('marketplace.seller_marketplace')
      .select('marketplace_id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', accountId)
      .execute();
    return rows.map((row) => row.marketplace_id);
  });
}

test('the job of a worker that is killed is done by another within forty seconds', async () => {
  const id = await account();
  child = startWorkerProcess();
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 30_000, interval: 50 });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const killedAt = Date.now();
  await world.work();
  expect(await sitesOf(id)).toEqual([]);
  await vi.waitFor(async () => expect(await sitesOf(id)).toEqual(['ATVPDKIKX0DER']), {
    timeout: 45_000,
    interval: 200,
  });
  expect(Date.now() - killedAt).toBeLessThan(40_000);
});
