// Posts documents of many lines without an end, until somebody ends the process. Settings come as JSON.
import { randomUUID } from 'node:crypto';
import { readConfig } from '#kit/server/config.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { post } from '../server/index.ts';

interface Settings {
  url: string;
  dataDir: string;
  companyId: string;
  warehouse: string;
  products: string[];
}

const { url, dataDir, companyId, warehouse, products } = JSON.parse(process.argv[2] ?? '{}') as Settings;
const config = readConfig({ ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent', SANDBOX: 'off', PORT: '0' });
const runtime = await openRuntime(config, url);

async function client(): Promise<void> {
  for (;;) {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
      post(ctx, {
        source: { type: 'flood', id: randomUUID(), event: 'do', number: 'F' },
        moves: products.map((product) => ({
          product,
          qty: 2,
          from: 'SUPPLIER',
          to: { warehouse, status: 'AVAILABLE' },
          cost: { value: '1.0001' },
        })),
      }),
    );
    process.stdout.write('.');
  }
}
await Promise.all([client(), client(), client()]);
