import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '#kit/server/config.ts';
import type { Principal } from '#kit/server/context.ts';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { createCompany } from '#modules/identity/server/index.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { migrationSets } from '#src/app/migrations.ts';
import { openRuntime } from '#src/app/runtime.ts';

/** A product on a database of its own, as durable as in production, with one connection for baselines beside it. */
export interface BenchWorld {
  runtime: Runtime;
  /** Speaks as the owner of the tables: baselines are plain SQL without any of ours. */
  admin: pg.Client;
  url: string;
  company(): Promise<Principal>;
  account(principal: Principal): Promise<AccountRef>;
  close(): Promise<void>;
}

export const OWNER = { account: 'bench@example.com', password: 'Bench-2026!' };

export async function createBenchWorld(): Promise<BenchWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-bench-'));
  const server = await startEmbedded({ dataDir });
  const url = server.url('erp');
  await migrate(url, migrationSets());
  const config = readConfig({ DATA_DIR: dataDir, CAPTCHA: 'off', LOG_LEVEL: 'silent', SANDBOX: 'off', PORT: '0' });
  const runtime = await openRuntime(config, url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  let companies = 0;
  return {
    runtime,
    admin,
    url,
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
    async close() {
      await admin.end();
      await runtime.connections.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
