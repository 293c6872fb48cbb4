import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type AlibabaConfig,
  type Config,
  ConfigError,
  type MarketplaceConfig,
  type WechatConfig,
} from '#kit/server/config.ts';

const ENTRY = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));

/** The addresses at which a sandbox answers, in the settings that name the real marketplace otherwise. */
export function sandboxAddresses(base: string): MarketplaceConfig {
  return {
    spApiBase: { na: `${base}/spapi/na`, eu: `${base}/spapi/eu`, fe: `${base}/spapi/fe` },
    lwaTokenUrl: `${base}/lwa/auth/o2/token`,
    consentBase: `${base}/consent/{country}`,
    applicationId: 'amzn1.sp.solution.sandbox',
    clientId: 'amzn1.application-oa2-client.sandbox',
    clientSecret: 'sandbox-secret',
    clock: `${base}/control/clock`,
    mediaBase: base,
    ads: {
      base: { na: `${base}/ads/na`, eu: `${base}/ads/eu`, fe: `${base}/ads/fe` },
      consentBase: `${base}/ads-consent/{region}`,
      tokenUrl: `${base}/lwa/auth/o2/token`,
      clientId: 'amzn1.application-oa2-client.sandbox-ads',
      clientSecret: 'sandbox-ads-secret',
    },
    queue: {
      url: `${base}/sqs/000000000000/sandbox`,
      arn: 'arn:aws:sqs:us-east-1:000000000000:sandbox',
      accessKeyId: 'AKIASANDBOXQUEUE0001',
      secretAccessKey: 'sandbox-queue-secret',
    },
  };
}

/** The same for log-in by WeChat, which the sandbox stands in for as well. */
export function sandboxWechat(base: string): WechatConfig {
  return {
    authorizeUrl: `${base}/wechat/connect/qrconnect`,
    apiBase: `${base}/wechat`,
    appId: 'wx-sandbox',
    secret: 'wechat-sandbox-secret',
  };
}

/** The same for the wholesale market. */
export function sandboxAlibaba(base: string): AlibabaConfig {
  return {
    authorizeUrl: `${base}/alibaba/oauth/authorize`,
    apiBase: `${base}/alibaba/openapi`,
    appKey: '1688001',
    appSecret: 'alibaba-sandbox-secret',
  };
}

/** Where it publishes exchange rates, in the form of the European Central Bank. */
export const sandboxRates = (base: string): string => `${base}/rates/eurofxref-hist-90d.xml`;

/** Starts the sandbox marketplace as a process of its own; resolves when it listens. */
export async function startSandbox(config: Config): Promise<{ base: string; stop: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    [ENTRY, '--port', String(config.sandboxPort), '--data-dir', join(config.dataDir, 'sandbox'), '--scenario', 'demo'],
    // In a process group of its own: Ctrl-C in the terminal must not take it away from work that is still ending.
    { stdio: ['pipe', 'pipe', 'inherit'], detached: process.platform !== 'win32' },
  );
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const base = await Promise.race([
    (async () => {
      for await (const line of lines) {
        const found = /https?:\/\/\S+/.exec(line);
        if (found) return found[0].replace(/\/$/, '');
      }
      return undefined;
    })(),
    exited.then(() => undefined),
  ]);
  if (!base) throw new ConfigError(`沙箱市场未能启动（端口 ${config.sandboxPort}），可用 SANDBOX_PORT 换一个端口`);
  child.stdout.resume();
  return {
    base,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await exited;
    },
  };
}
