import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

const MARKET = {
  SPAPI_BASE_NA: 'https://na.market.example',
  LWA_TOKEN_URL: 'https://market.example/token',
  SP_CONSENT_BASE: 'https://{country}.market.example',
};
const ADS = {
  ADS_BASE_EU: 'https://ads.example/',
  ADS_TOKEN_URL: 'https://ads.example/token',
  ADS_CONSENT_BASE: '{"eu":"https://ads.example"}',
  ADS_CLIENT_ID: 'ads',
  ADS_CLIENT_SECRET: 'secret',
};

describe('a setting that cannot be used is refused by its name, in one line', () => {
  test.each([
    [{ POOL_SIZE: 'twelve' }, 'POOL_SIZE 应为 2 至 1000 的整数，当前为 twelve'],
    [{ POOL_SIZE: '0' }, 'POOL_SIZE'],
    [{ LEASE_SEC: '90s' }, 'LEASE_SEC'],
    [{ RETRY_BASE_MS: '-1' }, 'RETRY_BASE_MS'],
    [{ REPORT_MINUTE_MS: '0' }, 'REPORT_MINUTE_MS'],
    [{ BACKGROUND_DELAY_SEC: '1,5' }, 'BACKGROUND_DELAY_SEC'],
    [{ FEED_PAUSE_SEC: '5m' }, 'FEED_PAUSE_SEC'],
    [{ ORDER_HISTORY_DAYS: '731' }, 'ORDER_HISTORY_DAYS 应为 1 至 730 的整数，当前为 731'],
    [{ PORT: '0x50' }, 'PORT 不是有效端口：0x50'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL 只能是'],
    [{ PUBLIC_URL: 'erp.example.com' }, 'PUBLIC_URL'],
    [{ CAPTCHA: 'no' }, 'CAPTCHA'],
    [{ ...MARKET, MARKETPLACE_CLOCK: 'datbase' }, 'MARKETPLACE_CLOCK 只能是 database 或 http 地址，当前为 datbase'],
    [{ ...MARKET, SPAPI_BASE_NA: 'na.market.example' }, 'SPAPI_BASE_NA'],
    [{ ...MARKET, SP_CONSENT_BASE: '{"US"}' }, 'SP_CONSENT_BASE'],
    [{ ...MARKET, SP_CONSENT_BASE: '{"US":"sellercentral"}' }, 'SP_CONSENT_BASE 的 US'],
  ])('%j', (env, line) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(line);
  });

  test.each([
    [{ LWA_TOKEN_URL: MARKET.LWA_TOKEN_URL }, '连接亚马逊接口还须设置 SP_CONSENT_BASE'],
    [{ SPAPI_BASE_NA: MARKET.SPAPI_BASE_NA }, '连接亚马逊接口还须设置 LWA_TOKEN_URL、SP_CONSENT_BASE'],
    [{ MARKETPLACE_CLOCK: 'database' }, '连接亚马逊接口还须设置 LWA_TOKEN_URL、SP_CONSENT_BASE'],
    [{ ...MARKET, SPAPI_BASE_NA: '' }, '还须设置 SPAPI_BASE_NA、SPAPI_BASE_EU、SPAPI_BASE_FE 中的至少一个'],
    [{ ...MARKET, SP_CLIENT_ID: 'me' }, '使用已注册的应用还须设置 SP_APPLICATION_ID、SP_CLIENT_SECRET'],
    [{ ...MARKET, ...ADS, ADS_TOKEN_URL: '' }, '连接广告接口还须设置 ADS_TOKEN_URL'],
    [{ ...MARKET, SQS_QUEUE_ARN: 'x' }, '接收亚马逊通知还须设置 SQS_QUEUE_URL、SQS_ACCESS_KEY_ID'],
    [ADS, '连接亚马逊接口还须设置 LWA_TOKEN_URL、SP_CONSENT_BASE'],
    [{ WECHAT_API_BASE: 'https://wechat.example' }, '启用微信登录还须设置 WECHAT_APP_ID、WECHAT_APP_SECRET'],
    [{ ALIBABA_APP_KEY: '1' }, '启用1688还须设置 ALIBABA_APP_SECRET'],
    [{ SSO_CLIENT_SECRET: 'x' }, '启用单点登录还须设置 SSO_ISSUER、SSO_CLIENT_ID'],
    [{ SMS_SIGN: 'x' }, '使用短信服务还须设置 SMS_PROVIDER'],
  ])('half of what belongs together: %j', (env, line) => {
    expect(() => readConfig(env)).toThrow(line);
  });

  test('a marketplace beside the sandbox, which would answer in its place', () => {
    const both = () => readConfig({ ...MARKET, SANDBOX: 'on' });
    expect(both).toThrow('SANDBOX=on 时由沙箱提供市场地址');
    expect(both).toThrow('SPAPI_BASE_NA、LWA_TOKEN_URL、SP_CONSENT_BASE');
  });
});

test('what is given whole is taken, and keeps the sandbox away', () => {
  const config = readConfig({ ...MARKET, ...ADS, MARKETPLACE_CLOCK: 'http://clock.example/now', POOL_SIZE: '20' });
  expect(config).toMatchObject({
    sandbox: false,
    poolSize: 20,
    leaseSec: 90,
    backgroundDelaySec: 90,
    orderHistoryDays: 730,
    feedPauseSec: 300,
  });
  expect(config.marketplace).toMatchObject({
    spApiBase: { na: 'https://na.market.example', eu: '', fe: '' },
    clock: 'http://clock.example/now',
    ads: { base: { na: '', eu: 'https://ads.example', fe: '' } },
  });
  expect(readConfig(MARKET).marketplace).toMatchObject({ clock: 'database', ads: undefined });
  // Empty is not set, as an unset variable of a compose file arrives.
  expect(readConfig({ HOST: '', DATA_DIR: '', POOL_SIZE: '', LWA_TOKEN_URL: '' })).toEqual(readConfig({}));
});

/** Names of the machine or of the build tool, which are nobody's setting. */
const NOT_OURS = ['PATH', 'DEV'];

/** Names of settings that a source reads: as a property, taken apart, or listed in a file that reads settings. */
function namesReadIn(source: string): string[] {
  if (!/process\.env|import\.meta\.env|\bSettings\b/.test(source)) return [];
  const properties = [...source.matchAll(/\benv\.([A-Z][A-Z0-9_]*)/g)].map((match) => match[1] ?? '');
  const parts = [...source.matchAll(/\{([^{}]*)\}(?:\s*=\s*(?:process\.)?env\b|:\s*(?:Settings|NodeJS\.ProcessEnv))/g)];
  const taken = parts.flatMap((match) => (match[1] ?? '').match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []);
  const names = /\bSettings\b/.test(source) ? source.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g) : [];
  const listed = [...names].map((match) => match[1] ?? '');
  return [...properties, ...taken, ...listed].filter((name) => !NOT_OURS.includes(name));
}

test('every setting that is read stands in the README, and every one that stands there is read', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((path) => !path.split('/').includes('test'));
  const read = new Set(files.flatMap((path) => namesReadIn(readFileSync(join(ROOT, path), 'utf8'))));
  expect([...read]).toEqual(expect.arrayContaining(['PORT', 'MAIL_FROM', 'ADS_BASE_FE', 'SANDBOX_LOGIN_URI']));
  const section = /\n## Settings\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const written = new Set([...section.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1]));
  expect([...read].filter((name) => !written.has(name))).toEqual([]);
  expect([...written].filter((name) => !read.has(name ?? ''))).toEqual([]);
});
