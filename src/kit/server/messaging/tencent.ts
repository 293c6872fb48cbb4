import type { SmsConfig } from '../config.ts';
import type { Message } from './message.ts';
import { e164, type SmsProvider } from './sms.ts';

const TIMEOUT_SEC = 10;

async function clientOf(config: SmsConfig) {
  // Loaded with the first message only: most installations never send one.
  const { default: sdk } = await import('tencentcloud-sdk-nodejs-sms');
  const plain = config.endpoint.startsWith('http://');
  return new sdk.sms.v20210111.Client({
    credential: { secretId: config.secretId, secretKey: config.secretKey },
    region: config.region,
    profile: {
      httpProfile: {
        endpoint: config.endpoint.replace(/^https?:\/\//, ''),
        protocol: plain ? 'http://' : 'https://',
        reqTimeout: TIMEOUT_SEC,
      },
    },
  });
}

/** Tencent Cloud SMS, API 2021-01-11: SendSms with an approved signature and template. */
export function tencentSms(config: SmsConfig): SmsProvider {
  return {
    async send(message: Message) {
      const template = config.templates[message.purpose] ?? config.templates.default;
      if (!template) throw new Error(`no SMS template for ${message.purpose}`);
      const client = await clientOf(config);
      const answer = await client.SendSms({
        PhoneNumberSet: [e164(message.target)],
        SmsSdkAppId: config.appId,
        SignName: config.sign,
        TemplateId: template,
        TemplateParamSet: [...(message.params ?? [])],
      });
      const status = answer.SendStatusSet?.[0];
      if (status?.Code !== 'Ok') throw new Error(`SMS refused: ${status?.Code ?? ''} ${status?.Message ?? ''}`.trim());
    },
  };
}
