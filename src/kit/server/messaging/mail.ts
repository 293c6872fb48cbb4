import nodemailer, { type Transporter } from 'nodemailer';
import type { MailConfig } from '../config.ts';
import type { Message } from './message.ts';

const TIMEOUT_MS = 10_000;

const transports = new Map<string, Transporter>();

function transportOf(config: MailConfig): Transporter {
  const known = transports.get(config.url);
  if (known) return known;
  const transport = nodemailer.createTransport(config.url, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as object);
  transports.set(config.url, transport);
  return transport;
}

/** Hands one mail to the SMTP server; throws what the server or the connection says. */
export async function sendMail(config: MailConfig, message: Message): Promise<void> {
  await transportOf(config).sendMail({
    from: config.from,
    // An object, so that nothing in the address is read as a list of several.
    to: { name: '', address: message.target },
    subject: message.subject ?? '',
    text: message.text,
    ...(message.html ? { html: message.html } : {}),
    attachments: (message.attachments ?? []).map(({ name, mediaType, content }) => ({
      filename: name,
      contentType: mediaType,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
