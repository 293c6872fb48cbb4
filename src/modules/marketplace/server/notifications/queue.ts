import { z } from 'zod';
import type { QueueConfig } from '#kit/server/config.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { signed } from './sign.ts';

const TIMEOUT_MS = 30_000;
const MEDIA_TYPE = 'application/x-amz-json-1.0';
/** The queue hands out ten at most. */
export const RECEIVE_AT_ONCE = 10;
/** So long a message is ours alone; handling ten takes a fraction of it. */
const VISIBILITY_SEC = 60;

const Received = z.object({
  Messages: z.array(z.object({ MessageId: z.string(), ReceiptHandle: z.string(), Body: z.string() })).nullish(),
});
const Attributes = z.object({ Attributes: z.object({ ApproximateNumberOfMessages: z.string() }) });

/** A message of the queue; `receipt` is what it is deleted by. */
export interface QueueMessage {
  id: string;
  receipt: string;
  body: string;
}

/** The configured queue, or undefined where notifications are not received. */
export function queueOf(runtime: Pick<Runtime, 'config'>): QueueConfig | undefined {
  return runtime.config.marketplace?.queue;
}

async function ask(queue: QueueConfig, action: string, fields: object): Promise<unknown> {
  const body = JSON.stringify({ QueueUrl: queue.url, ...fields });
  const headers = { 'content-type': MEDIA_TYPE, 'x-amz-target': `AmazonSQS.${action}` };
  const { accessKeyId, secretAccessKey, arn } = queue;
  const key = { accessKeyId, secretAccessKey, region: arn.split(':')[3] ?? '', service: 'sqs' };
  const response = await fetch(queue.url, {
    method: 'POST',
    headers: signed({ method: 'POST', url: queue.url, headers, body }, key, new Date()),
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`消息队列 ${action}：HTTP ${response.status} ${text.slice(0, 200)}`);
  return text === '' ? {} : JSON.parse(text);
}

/** Up to ten messages; for a minute nobody else gets them. @throws Error when the queue cannot be read */
export async function receiveMessages(queue: QueueConfig): Promise<QueueMessage[]> {
  const fields = { MaxNumberOfMessages: RECEIVE_AT_ONCE, VisibilityTimeout: VISIBILITY_SEC, WaitTimeSeconds: 0 };
  const { Messages } = Received.parse(await ask(queue, 'ReceiveMessage', fields));
  return (Messages ?? []).map(({ MessageId, ReceiptHandle, Body }) => ({
    id: MessageId,
    receipt: ReceiptHandle,
    body: Body,
  }));
}

/** Takes messages off the queue for good. */
export async function deleteMessages(queue: QueueConfig, messages: readonly QueueMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
  await ask(queue, 'DeleteMessageBatch', { Entries });
}

/** About how many messages wait. */
export async function waitingMessages(queue: QueueConfig): Promise<number> {
  const answer = await ask(queue, 'GetQueueAttributes', { AttributeNames: ['ApproximateNumberOfMessages'] });
  return Number(Attributes.parse(answer).Attributes.ApproximateNumberOfMessages);
}
