import { inSystem, type Runtime } from '../runtime.ts';
import type { Channel, Message } from './message.ts';

const KINDS: Record<Channel, string> = {
  sms: '短信',
  email: '邮件',
  wechat: '微信',
  feishu: '飞书',
  dingtalk: '钉钉',
};

/** Keeps a message that nobody can deliver where the operator sees it: in kit.outbox and as one line on the console. */
export async function keepInOutbox(runtime: Runtime, message: Message): Promise<void> {
  await inSystem(runtime, (db) =>
    db
      .insertInto('kit.outbox')
      .values({
        company_id: message.companyId ?? null,
        channel: message.channel,
        target: message.target,
        purpose: message.purpose,
        subject: message.subject ?? null,
        text: message.text,
      })
      .execute(),
  );
  if (runtime.config.logLevel === 'silent') return;
  // Control characters of a target or text must not write lines of their own.
  const line = `${message.target} ${message.text}`.replace(/\p{Cc}+/gu, ' ').slice(0, 300);
  process.stdout.write(`［${KINDS[message.channel]}发件箱］${line}\n`);
}
