import type { SmsConfig } from '../config.ts';
import type { Message } from './message.ts';
import { tencentSms } from './tencent.ts';

/** Anybody who delivers text messages. Throws with the provider's words where it refuses one. */
export interface SmsProvider {
  send(message: Message): Promise<void>;
}

const PROVIDERS: Record<SmsConfig['provider'], (config: SmsConfig) => SmsProvider> = { tencent: tencentSms };

/** The provider that the settings name. */
export function smsProvider(config: SmsConfig): SmsProvider {
  return PROVIDERS[config.provider](config);
}

/** A phone as providers want it: mainland numbers of eleven digits get their country code. */
export function e164(phone: string): string {
  return /^1[3-9]\d{9}$/.test(phone) ? `+86${phone}` : phone;
}
