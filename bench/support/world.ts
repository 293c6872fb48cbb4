import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { readConfig } from '#kit/server/config.ts';
import type { Principal } from '#kit/server/context.ts';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { createCompany } from '#modules/identity/server/index.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createApi } from '#src/app/api.ts';
import { migrationSets } from '#src/app/migrations.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { cpuMs } from './cpu.ts';
import { closeOnSignal } from './signals.ts';

/** A product on a database of its own, as durable as in production, with one connection for baselines beside it. */
export interface BenchWorld {
  runtime: Runtime;
  /** Speaks as the owner of the tables: baselines are plain SQL without any of ours. */
  admin: pg.Client;
  url: string;
  /** Processor time so far of the product and its database, ms. */
  cpu(): Promise<number>;
  company(): Promise<Principal>;
  account(principal: Principal): Promise<AccountRef>;
  /** The product's API, listening; it ends with the world. */
  api(): Promise<{ app: FastifyInstance; address: string }>;
  /** Ends the server, whatever it is doing, and removes its data. May be called twice. */
  close(): Promise<void>;
}

export const OWNER = { account: 'bench@example.com', password: 'Bench-2026!' };

export async function createBenchWorld(): Promise<BenchWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-bench-'));
  const server = await startEmbedded({ dataDir });
  const url = server.url('erp');
  let closing: Promise<void> | undefined;
  const end = async () => {
    // The server lives in a process group of its own: without this, an interrupted bench would leave it behind.
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const close = () => {
    closing ??= end();
    return closing;
  };
  closeOnSignal(close);
  await migrate(url, migrationSets());
  const config = readConfig({ DATA_DIR: dataDir, CAPTCHA: 'off', LOG_LEVEL: 'silent', SANDBOX: 'off', PORT: '0' });
  const runtime = await openRuntime(config, url);
  const admin = new pg.Client({ connectionString: url });
  // Its server is stopped before it is.
  admin.on('error', () => {});
  await admin.connect();
  let companies = 0;
  const apps: FastifyInstance[] = [];
  return {
    runtime,
    admin,
    url,
    cpu: () => cpuMs(dataDir),
    async company() {
      const companyId = randomUUID();
      companies += 1;
      const account = companies === 1 ? OWNER.account : `bench-${companies}@example.com`;
      const userId = await runtime.connections.tenant(companyId, (db) =>
        createCompany(
          db,
          companyId,
          { name: `公司 ${companies}`, owner: { account, password: OWNER.password, name: '测量' } },
          runtime.secrets.pepper,
        ),
      );
      return { sessionId: null, companyId, userId, userName: '测量', permissions: undefined };
    },
    async account(principal) {
      const storeId = randomUUID();
      const id = randomUUID();
      const { companyId } = principal;
      const sellingPartnerId = `A${id.replaceAll('-', '').slice(0, 12).toUpperCase()}`;
      await admin.query('INSERT INTO marketplace.store (company_id, id, name) VALUES ($1, $2, $3)', [
        companyId,
        storeId,
        id,
      ]);
      await admin.query(
        `INSERT INTO marketplace.seller_account
           (company_id, id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
         VALUES ($1, $2, $3, $4, 'na', 'bench', '-', now() + interval '1 year')`,
        [companyId, id, storeId, sellingPartnerId],
      );
      await admin.query(
        "INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id) VALUES ($1, $2, 'ATVPDKIKX0DER')",
        [companyId, id],
      );
      return { companyId, id, storeId, sellingPartnerId, region: 'na', marketplaceIds: ['ATVPDKIKX0DER'] };
    },
    async api() {
      const app = await createApi(runtime);
      // It holds a connection of the pool, which cannot be closed before it.
      apps.push(app);
      return { app, address: await app.listen({ host: '127.0.0.1', port: 0 }) };
    },
    async close() {
      if (closing) return closing;
      for (const app of apps) await app.close();
      await admin.end();
      await runtime.connections.close();
      await close();
    },
  };
}

/** A session of a company's owner. */
export async function sessionOf(world: BenchWorld, app: FastifyInstance, owner: Principal): Promise<string> {
  const { rows } = await world.admin.query<{ account: string }>(
    'SELECT account FROM identity.member WHERE company_id = $1',
    [owner.companyId],
  );
  const payload = { account: rows[0]?.account, password: OWNER.password };
  const login = await app.inject({ method: 'POST', url: '/auth/login', payload });
  return login.json<{ data: { session: string } }>().data.session;
}
