import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT, freePort, startProvider, type TestProvider } from '../../../src/modules/identity/test/sso-provider.ts';
import { databaseUrl, dataDir } from './captcha.ts';

const STARTS_WITHIN_MS = 180_000;

export interface SsoProduct {
  /** Address of the product that logs in through the provider. */
  pages: string;
  provider: TestProvider;
  stop(): Promise<void>;
}

async function untilReady(address: string, process: ChildProcess): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && process.exitCode === null) {
    const up = await fetch(`${address}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await sleep(200);
  }
  throw new Error(`no product at ${address}`);
}

/** A second process on the database of the product under test, with an OpenID provider in front of it. */
export async function startSsoProduct(): Promise<SsoProduct> {
  const port = await freePort();
  const pages = `http://127.0.0.1:${port}`;
  const provider = await startProvider(pages);
  const product = spawn('node', ['src/main.ts', 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: await databaseUrl(),
      DATA_DIR: dataDir(),
      PORT: String(port),
      PUBLIC_URL: pages,
      SSO_ISSUER: provider.issuer,
      SSO_CLIENT_ID: CLIENT.id,
      SSO_CLIENT_SECRET: CLIENT.secret,
    },
  });
  const stop = async () => {
    if (product.exitCode === null) {
      product.kill('SIGTERM');
      await once(product, 'exit');
    }
    await provider.close();
  };
  try {
    await untilReady(pages, product);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pages, provider, stop };
}
