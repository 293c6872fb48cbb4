import type { Runtime } from '../runtime.ts';
import { sendMail } from './mail.ts';
import type { Channel, Message } from './message.ts';
import { keepInOutbox } from './outbox.ts';
import { smsProvider } from './sms.ts';

/** Whether messages of a channel leave the product; otherwise they stay in the outbox. */
export function isSetUp({ config }: Pick<Runtime, 'config'>, channel: Channel): boolean {
  return (channel === 'email' && config.mail !== undefined) || (channel === 'sms' && config.sms !== undefined);
}

/**
 * Sends a message now, once: for codes, which are worth nothing later. Where its channel is not set up it goes to the
 * outbox. Throws what the mail server or the provider says.
 */
export async function deliver(runtime: Runtime, message: Message): Promise<void> {
  const { mail, sms } = runtime.config;
  if (message.channel === 'email' && mail) return sendMail(mail, message);
  if (message.channel === 'sms' && sms) return smsProvider(sms).send(message);
  return keepInOutbox(runtime, message);
}
