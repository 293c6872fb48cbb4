import type { AdsConfig, AlibabaConfig, MarketplaceConfig, QueueConfig, WechatConfig } from './config.ts';
import { allOf, ConfigError, type Settings, webAddress, webPage } from './config-values.ts';

const ADDRESSES = ['LWA_TOKEN_URL', 'SP_CONSENT_BASE'];
const BASES = ['SPAPI_BASE_NA', 'SPAPI_BASE_EU', 'SPAPI_BASE_FE'];
const APPLICATION = ['SP_APPLICATION_ID', 'SP_CLIENT_ID', 'SP_CLIENT_SECRET'];
const ADS_BASES = ['ADS_BASE_NA', 'ADS_BASE_EU', 'ADS_BASE_FE'];
const ADS = ['ADS_CONSENT_BASE', 'ADS_TOKEN_URL', 'ADS_CLIENT_ID', 'ADS_CLIENT_SECRET'];
const QUEUE = ['SQS_QUEUE_URL', 'SQS_QUEUE_ARN', 'SQS_ACCESS_KEY_ID', 'SQS_SECRET_ACCESS_KEY'];

/** Names of the settings that say where the marketplace is and who asks there. */
export const MARKETPLACE_SETTINGS: readonly string[] = [
  ...BASES,
  ...ADDRESSES,
  ...APPLICATION,
  ...ADS_BASES,
  ...ADS,
  ...QUEUE,
  'MARKETPLACE_CLOCK',
  'SP_MEDIA_BASE',
];

/** One address per region; a seller of one region needs no other. */
function basesOf(env: Settings, names: readonly string[], purpose: string): { na: string; eu: string; fe: string } {
  if (!names.some((name) => env[name])) throw new ConfigError(`${purpose}还须设置 ${names.join('、')} 中的至少一个`);
  const [na = '', eu = '', fe = ''] = names.map((name) => (env[name] ? webPage(env[name], name) : ''));
  return { na, eu, fe };
}

/** One address with a placeholder, or a JSON object from region or country to address. */
function consentOf(value: string, name: string): string {
  if (!value.trim().startsWith('{')) {
    webPage(value.replace(/\{\w+\}/g, 'x'), name);
    return value;
  }
  let places: Record<string, unknown>;
  try {
    places = JSON.parse(value) as Record<string, unknown>;
  } catch {
    throw new ConfigError(`${name} 应为一个地址，或 {"US":"https://…"} 形式的 JSON`);
  }
  for (const [place, address] of Object.entries(places)) webPage(String(address), `${name} 的 ${place}`);
  return value;
}

function clockOf(value: string | undefined): string {
  if (!value || value === 'database') return 'database';
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new ConfigError(`MARKETPLACE_CLOCK 只能是 database 或 http 地址，当前为 ${value}`);
  return value;
}

function adsOf(env: Settings): AdsConfig | undefined {
  const purpose = '连接广告接口';
  const { ADS_CONSENT_BASE = '', ADS_TOKEN_URL = '', ADS_CLIENT_ID = '', ADS_CLIENT_SECRET = '' } = env;
  if (!allOf(env, purpose, ADS, ADS_BASES)) return undefined;
  return {
    base: basesOf(env, ADS_BASES, purpose),
    consentBase: consentOf(ADS_CONSENT_BASE, 'ADS_CONSENT_BASE'),
    tokenUrl: webPage(ADS_TOKEN_URL, 'ADS_TOKEN_URL'),
    clientId: ADS_CLIENT_ID,
    clientSecret: ADS_CLIENT_SECRET,
  };
}

function queueOf(env: Settings): QueueConfig | undefined {
  const { SQS_QUEUE_URL = '', SQS_QUEUE_ARN = '', SQS_ACCESS_KEY_ID = '', SQS_SECRET_ACCESS_KEY = '' } = env;
  if (!allOf(env, '接收亚马逊通知', QUEUE)) return undefined;
  if (!/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d+:\S+$/.test(SQS_QUEUE_ARN)) {
    throw new ConfigError(`SQS_QUEUE_ARN 不是队列的 ARN：${SQS_QUEUE_ARN}`);
  }
  return {
    url: webAddress(SQS_QUEUE_URL, 'SQS_QUEUE_URL'),
    arn: SQS_QUEUE_ARN,
    accessKeyId: SQS_ACCESS_KEY_ID,
    secretAccessKey: SQS_SECRET_ACCESS_KEY,
  };
}

/**
 * The marketplace that the settings name; undefined where they name none. The registered application is given whole or
 * not at all: stores with an application of their own need no other.
 * @throws ConfigError where only some of what belongs together is given
 */
export function marketplaceOf(env: Settings): MarketplaceConfig | undefined {
  const purpose = '连接亚马逊接口';
  const { LWA_TOKEN_URL = '', SP_CONSENT_BASE = '' } = env;
  if (!allOf(env, purpose, ADDRESSES, MARKETPLACE_SETTINGS)) return undefined;
  const spApiBase = basesOf(env, BASES, purpose);
  allOf(env, '使用已注册的应用', APPLICATION);
  return {
    spApiBase,
    lwaTokenUrl: webPage(LWA_TOKEN_URL, 'LWA_TOKEN_URL'),
    consentBase: consentOf(SP_CONSENT_BASE, 'SP_CONSENT_BASE'),
    applicationId: env.SP_APPLICATION_ID ?? '',
    clientId: env.SP_CLIENT_ID ?? '',
    clientSecret: env.SP_CLIENT_SECRET ?? '',
    clock: clockOf(env.MARKETPLACE_CLOCK),
    mediaBase: env.SP_MEDIA_BASE ? webPage(env.SP_MEDIA_BASE, 'SP_MEDIA_BASE') : undefined,
    ads: adsOf(env),
    queue: queueOf(env),
  };
}

/** Log-in by WeChat; undefined where it is not set up. @throws ConfigError where it is set up in part */
export function wechatOf(env: Settings): WechatConfig | undefined {
  const { WECHAT_APP_ID = '', WECHAT_APP_SECRET = '', WECHAT_AUTHORIZE_URL, WECHAT_API_BASE } = env;
  const addresses = ['WECHAT_AUTHORIZE_URL', 'WECHAT_API_BASE'];
  if (!allOf(env, '启用微信登录', ['WECHAT_APP_ID', 'WECHAT_APP_SECRET'], addresses)) return undefined;
  return {
    authorizeUrl: WECHAT_AUTHORIZE_URL || 'https://open.weixin.qq.com/connect/qrconnect',
    apiBase: WECHAT_API_BASE || 'https://api.weixin.qq.com',
    appId: WECHAT_APP_ID,
    secret: WECHAT_APP_SECRET,
  };
}

const ALIBABA = ['ALIBABA_APP_KEY', 'ALIBABA_APP_SECRET', 'ALIBABA_AUTHORIZE_URL', 'ALIBABA_API_BASE'];

/** The open platform of 1688; undefined where it is not set up. @throws ConfigError where it is set up in part */
export function alibabaOf(env: Settings): AlibabaConfig | undefined {
  const { ALIBABA_APP_KEY = '', ALIBABA_APP_SECRET = '', ALIBABA_AUTHORIZE_URL = '', ALIBABA_API_BASE = '' } = env;
  if (!allOf(env, '启用1688', ALIBABA)) return undefined;
  return {
    authorizeUrl: webAddress(ALIBABA_AUTHORIZE_URL, 'ALIBABA_AUTHORIZE_URL'),
    apiBase: webAddress(ALIBABA_API_BASE, 'ALIBABA_API_BASE'),
    appKey: ALIBABA_APP_KEY,
    appSecret: ALIBABA_APP_SECRET,
  };
}
