import { resolve } from 'node:path';
import { alibabaOf, MARKETPLACE_SETTINGS, marketplaceOf, wechatOf } from './config-platforms.ts';
import {
  allOf,
  ConfigError,
  flag,
  numberOf,
  oneOf,
  portOf,
  type Settings,
  webAddress,
  webPage,
} from './config-values.ts';

export { ConfigError } from './config-values.ts';

/** The advertising API: another registered application, with addresses of its own. */
export interface AdsConfig {
  base: { na: string; eu: string; fe: string };
  /** Where consent is asked for, below which /ap/oa lies: one address that may contain {region}, or JSON by region. */
  consentBase: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
}

/** The queue that the marketplace tells its notifications into, in the account of whoever runs this product. */
export interface QueueConfig {
  /** Address of the queue. */
  url: string;
  /** "arn:aws:sqs:<region>:<account>:<name>": what the marketplace is told, and the region that requests are signed for. */
  arn: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Addresses and credentials of the marketplace; the sandbox and the real one differ in nothing else. */
export interface MarketplaceConfig {
  spApiBase: { na: string; eu: string; fe: string };
  lwaTokenUrl: string;
  /**
   * Where consent pages live: one address that may contain {country}, or a JSON object from country code to address.
   */
  consentBase: string;
  /** Id of the registered application, and its LWA credentials. */
  applicationId: string;
  clientId: string;
  clientSecret: string;
  /** 'database' or an http address that answers {"now": "<ISO instant>"}: the clock that windows are computed from. */
  clock: string;
  /** Where pictures that lie at Amazon alone can be seen; undefined: they have no preview. */
  mediaBase?: string | undefined;
  /** Undefined: no advertising account can be authorised. */
  ads?: AdsConfig | undefined;
  /** Undefined: no notifications, everything is found by polling alone. */
  queue?: QueueConfig | undefined;
}

/** Mail over SMTP. */
export interface MailConfig {
  /** smtp://user:password@host:587 or smtps://…; parameters after "?" go to the transport. */
  url: string;
  /** Sender, e.g. "跨境电商 ERP <erp@example.com>". */
  from: string;
}

/** An account with an SMS provider. */
export interface SmsConfig {
  provider: 'tencent';
  secretId: string;
  secretKey: string;
  /** Id of the SMS application, and the signature approved for it. */
  appId: string;
  sign: string;
  /** Id of the approved template by purpose; `default` serves the others. Its parameters: {1} the code, {2} minutes. */
  templates: Record<string, string>;
  region: string;
  /** Host, or an address with http:// for a stand-in. */
  endpoint: string;
}

/** WeChat's website log-in: its authorisation page, its API, and the registered application. */
export interface WechatConfig {
  authorizeUrl: string;
  apiBase: string;
  appId: string;
  secret: string;
}

/** An OpenID provider that people of the companies log in with. */
export interface SsoConfig {
  /** As the provider names itself; its description is at <issuer>/.well-known/openid-configuration. */
  issuer: string;
  clientId: string;
  /** Undefined: a public client, which proves itself by PKCE alone. */
  clientSecret: string | undefined;
  /** Space-separated; "openid" among them. */
  scopes: string;
  /** Whether somebody whom nobody has entered yet gets an account, where his e-mail's domain belongs to a company. */
  provision: boolean;
  /** Where getJSession and logout are reached, without a slash at the end; undefined: PUBLIC_URL/sso. */
  address: string | undefined;
}

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  captcha: boolean;
  sandbox: boolean;
  sandboxPort: number;
  /** Address of this product as browsers see it; the consent page comes back to it. */
  publicUrl: string;
  /** Public address of this product's API, by which a marketplace fetches uploaded pictures; undefined: it cannot. */
  mediaUrl?: string | undefined;
  /** Undefined until a marketplace is configured (the sandbox configures itself). */
  marketplace: MarketplaceConfig | undefined;
  /** Undefined: what would be sent goes to the outbox table and to the console. */
  mail: MailConfig | undefined;
  sms: SmsConfig | undefined;
  /** Undefined: log-in and binding by WeChat are hidden. */
  wechat: WechatConfig | undefined;
  /** Address or file of published exchange rates; '' reads none, undefined the sandbox's. */
  rateFeed: string | undefined;
  /** Undefined: ordering on 1688 is refused in words. */
  alibaba: AlibabaConfig | undefined;
  /** Undefined: everybody logs in on this product's own page. */
  sso: SsoConfig | undefined;
  /** Where 返回旧系统 leads for those who came by single sign-on; undefined hides it. */
  oldSystemUrl: string | undefined;
  /** Hosts (with port, if any) whose pages may be shown inside a tab. */
  frameHosts: readonly string[];
  /** Hosts that entries of the menu may lead to, subdomains included. */
  linkHosts: readonly string[];
  /** 32 bytes in hex that encrypt stored credentials; undefined: a key file in the data directory. */
  secretKey: string | undefined;
  /** Seconds after which work of a process that stopped reporting is taken over. */
  leaseSec: number;
  /** First pause after a failed call in ms; later ones double, and every other pause is a multiple of it. */
  retryBaseMs: number;
  /** How many ms a minute of Amazon's own intervals between reports lasts; less where the marketplace is accelerated. */
  reportMinuteMs: number;
  /** Seconds for which reports of the background leave an account to its first synchronisation. */
  backgroundDelaySec: number;
  /** How many days of orders are read of the past when a seller is connected. */
  orderHistoryDays: number;
  /** Seconds within which one site's changes go to the marketplace in one feed. */
  feedPauseSec: number;
  poolSize: number;
  /** Milliseconds after which a worker looks for jobs whose time has come; those of now are announced to it. */
  jobPollMs: number;
  /** How far the product's clock is ahead of the machine's, for rehearsals; may be negative. */
  clockShiftMs: number;
  logLevel: string;
}

/** The open platform of the wholesale market 1688: where buyers agree, where calls go, as which application. */
export interface AlibabaConfig {
  authorizeUrl: string;
  /** Up to and without the protocol part: ".../openapi". */
  apiBase: string;
  appKey: string;
  appSecret: string;
}

function mailOf({ MAIL_URL, MAIL_FROM }: Settings): MailConfig | undefined {
  if (!MAIL_URL) return undefined;
  if (!/^smtps?:\/\//.test(MAIL_URL) || !URL.canParse(MAIL_URL)) {
    throw new ConfigError('MAIL_URL 应以 smtp:// 或 smtps:// 开头，例如 smtp://user:password@host:587');
  }
  if (!MAIL_FROM?.includes('@')) throw new ConfigError('设置 MAIL_URL 时须同时设置发件人 MAIL_FROM');
  return { url: MAIL_URL, from: MAIL_FROM };
}

/** One template id for all purposes, or a JSON object from purpose to id. */
function templatesOf(text: string): Record<string, string> {
  if (!text.startsWith('{')) return { default: text };
  try {
    const entries = Object.entries(JSON.parse(text) as object).map(([purpose, id]) => [purpose, String(id)]);
    return Object.fromEntries(entries) as Record<string, string>;
  } catch {
    throw new ConfigError('SMS_TEMPLATE 应为模板编号，或 {"用途":"模板编号"} 形式的 JSON');
  }
}

function smsOf(env: Settings): SmsConfig | undefined {
  if (env.SMS_PROVIDER && env.SMS_PROVIDER !== 'tencent')
    throw new ConfigError(`SMS_PROVIDER 只支持 tencent，当前为 ${env.SMS_PROVIDER}`);
  const needed = ['SMS_PROVIDER', 'SMS_SECRET_ID', 'SMS_SECRET_KEY', 'SMS_APP_ID', 'SMS_SIGN', 'SMS_TEMPLATE'];
  if (!allOf(env, '使用短信服务', needed, ['SMS_REGION', 'SMS_ENDPOINT'])) return undefined;
  return {
    provider: 'tencent',
    secretId: env.SMS_SECRET_ID ?? '',
    secretKey: env.SMS_SECRET_KEY ?? '',
    appId: env.SMS_APP_ID ?? '',
    sign: env.SMS_SIGN ?? '',
    templates: templatesOf(env.SMS_TEMPLATE ?? ''),
    region: env.SMS_REGION || 'ap-guangzhou',
    endpoint: env.SMS_ENDPOINT || 'sms.tencentcloudapi.com',
  };
}

function ssoOf(env: Settings): SsoConfig | undefined {
  const { SSO_ISSUER, SSO_CLIENT_ID } = env;
  const further = ['SSO_CLIENT_SECRET', 'SSO_SCOPES', 'SSO_PROVISION', 'SSO_ADDRESS'];
  if (!allOf(env, '启用单点登录', ['SSO_ISSUER', 'SSO_CLIENT_ID'], further)) return undefined;
  if (!SSO_ISSUER || !SSO_CLIENT_ID) return undefined;
  webAddress(SSO_ISSUER, 'SSO_ISSUER');
  const scopes = (env.SSO_SCOPES || 'openid email profile').split(/\s+/).filter((scope) => scope !== '');
  if (!scopes.includes('openid')) throw new ConfigError('SSO_SCOPES 须包含 openid');
  return {
    issuer: SSO_ISSUER,
    clientId: SSO_CLIENT_ID,
    clientSecret: env.SSO_CLIENT_SECRET || undefined,
    scopes: scopes.join(' '),
    provision: flag(env.SSO_PROVISION, 'SSO_PROVISION', false),
    address: env.SSO_ADDRESS ? webAddress(env.SSO_ADDRESS, 'SSO_ADDRESS') : undefined,
  };
}

const PUBLISHED_RATES = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml';

/** Beside the sandbox its own rates, else those of the European Central Bank, unless a setting says otherwise. */
function rateFeedOf(text: string | undefined, sandbox: boolean): string | undefined {
  if (text === 'off') return '';
  if (text && /^https?:/.test(text)) return webAddress(text, 'RATE_FEED');
  return text || (sandbox ? undefined : PUBLISHED_RATES);
}

function hostsOf(text: string): string[] {
  return text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}

/** They end up in a security header: nothing but a host may stand there. */
function frameHostsOf(text: string): string[] {
  const hosts = hostsOf(text);
  const wrong = hosts.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host));
  if (wrong !== undefined) throw new ConfigError(`FRAME_HOSTS 只能是主机名，用逗号分隔，当前为 ${wrong}`);
  return hosts;
}

function oldSystemOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`OLD_SYSTEM_URL 应以 http:// 或 https:// 开头，当前为 ${text}`);
  }
  return new URL(text).href;
}

/** In seconds. */
const A_CENTURY = 100 * 366 * 86_400;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The sandbox brings the addresses of its marketplace: others beside it would be passed over without a word. */
function sandboxOf(env: Settings, fallback: boolean): boolean {
  const sandbox = flag(env.SANDBOX, 'SANDBOX', fallback);
  const given = MARKETPLACE_SETTINGS.filter((name) => env[name]);
  if (sandbox && given.length > 0)
    throw new ConfigError(`SANDBOX=on 时由沙箱提供市场地址，请设置 SANDBOX=off，或去掉 ${given.join('、')}`);
  return sandbox;
}

/** Reads the settings from the environment; throws ConfigError with a line in Chinese. */
export function readConfig(env: Settings = process.env): Config {
  const port = portOf(env.PORT, 'PORT', 8080);
  const databaseUrl = env.DATABASE_URL || undefined;
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('DATABASE_URL 应以 postgres:// 开头，例如 postgres://user:password@host:5432/erp');
  }
  const marketplace = marketplaceOf(env);
  const sandbox = sandboxOf(env, databaseUrl === undefined && marketplace === undefined);
  return {
    port,
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || '.data'),
    databaseUrl,
    captcha: flag(env.CAPTCHA, 'CAPTCHA', true),
    sandbox,
    sandboxPort: portOf(env.SANDBOX_PORT, 'SANDBOX_PORT', port === 0 ? 0 : port + 1),
    publicUrl: env.PUBLIC_URL ? webPage(env.PUBLIC_URL, 'PUBLIC_URL') : `http://localhost:${port}`,
    mediaUrl: env.MEDIA_URL ? webPage(env.MEDIA_URL, 'MEDIA_URL') : undefined,
    marketplace,
    mail: mailOf(env),
    sms: smsOf(env),
    wechat: wechatOf(env),
    alibaba: alibabaOf(env),
    rateFeed: rateFeedOf(env.RATE_FEED, sandbox),
    sso: ssoOf(env),
    oldSystemUrl: oldSystemOf(env.OLD_SYSTEM_URL),
    frameHosts: frameHostsOf(env.FRAME_HOSTS ?? ''),
    linkHosts: hostsOf(env.LINK_HOSTS ?? ''),
    secretKey: env.SECRET_KEY || undefined,
    leaseSec: numberOf(env.LEASE_SEC, 'LEASE_SEC', 90, { least: 1, most: 3_600 }),
    retryBaseMs: numberOf(env.RETRY_BASE_MS, 'RETRY_BASE_MS', 2_000, { least: 1, most: 60_000 }),
    reportMinuteMs: numberOf(env.REPORT_MINUTE_MS, 'REPORT_MINUTE_MS', 60_000, { least: 1, most: 60_000 }),
    backgroundDelaySec: numberOf(env.BACKGROUND_DELAY_SEC, 'BACKGROUND_DELAY_SEC', 90, { least: 0, most: 3_600 }),
    // Amazon archives what is older.
    orderHistoryDays: numberOf(env.ORDER_HISTORY_DAYS, 'ORDER_HISTORY_DAYS', 730, { least: 1, most: 730 }),
    feedPauseSec: numberOf(env.FEED_PAUSE_SEC, 'FEED_PAUSE_SEC', 300, { least: 0, most: 3_600 }),
    poolSize: numberOf(env.POOL_SIZE, 'POOL_SIZE', 12, { least: 2, most: 1_000 }),
    jobPollMs: 1_000,
    clockShiftMs: 1_000 * numberOf(env.CLOCK_SHIFT_SEC, 'CLOCK_SHIFT_SEC', 0, { least: -A_CENTURY, most: A_CENTURY }),
    logLevel: oneOf(env.LOG_LEVEL, 'LOG_LEVEL', 'warn', LOG_LEVELS),
  };
}
