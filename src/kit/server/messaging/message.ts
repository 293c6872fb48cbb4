/** Nobody delivers to wechat, feishu and dingtalk yet: what goes there stays in the outbox. */
export type Channel = 'sms' | 'email' | 'wechat' | 'feishu' | 'dingtalk';

/** A file that comes with a mail. */
export interface Attachment {
  /** With its ending. */
  name: string;
  mediaType: string;
  content: Buffer;
}

/** Something to be sent to one phone, mailbox or messenger outside the product. */
export interface Message {
  channel: Channel;
  /** E-mail address; phone: eleven digits of mainland China or E.164; elsewhere the account of the reader. */
  target: string;
  /** What it is for, e.g. "register"; picks the template of the SMS provider. */
  purpose: string;
  /** E-mail only. */
  subject?: string;
  /** Plain text, in Chinese. */
  text: string;
  /** E-mail only: the same as HTML; whatever comes from users in it is escaped by the caller. */
  html?: string;
  /** E-mail only, and only of messages that are delivered at once: neither the queue nor the outbox keeps files. */
  attachments?: readonly Attachment[];
  /** SMS only: values of the provider's template, in order. */
  params?: readonly string[];
  companyId?: string | null;
}
