import type { Message } from '#kit/server/messaging/message.ts';
import type { OuterChannel } from '../../contract/deliveries.ts';
import { escaped, plain } from '../html.ts';

const MAX_TEXT = 2000;
/** Providers refuse longer parameters of a template. */
const MAX_PARAM = 40;
const PURPOSE = 'reminder';

export interface Wording {
  title: string;
  /** Sanitised HTML. */
  content: string;
  companyId: string;
  companyName: string;
  /** Address of the product as browsers see it. */
  publicUrl: string;
}

/** A message as a channel carries it. Its link leads to the message centre, not to a document: a mail may be passed on. */
export function outerMessage(channel: OuterChannel, target: string, wording: Wording): Message {
  const { title, content, companyId, companyName, publicUrl } = wording;
  const link = `${publicUrl}/sys/message`;
  const text = [title, plain(content, MAX_TEXT), `查看：${link}`].filter((line) => line !== '').join('\n');
  const base = { channel, target, purpose: PURPOSE, companyId };
  if (channel !== 'email') return { ...base, text, params: [[...title].slice(0, MAX_PARAM).join('')] };
  const foot = `${escaped(companyName)}的系统消息，可在个人中心的「消息订阅」里选择接收方式。`;
  const html = `<h3>${escaped(title)}</h3>${content}<p><a href="${escaped(link)}">在系统中查看</a></p><p style="color:#888;font-size:12px">${foot}</p>`;
  return { ...base, subject: title, text, html };
}
