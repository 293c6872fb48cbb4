import type { Runtime } from '../runtime.ts';
import { sendMail } from './mail.ts';
import type { Message } from './message.ts';
import { keepInOutbox } from './outbox.ts';
import { smsProvider } from './sms.ts';

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
