import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noticesOf } from './notices.ts';
import { applicationNotices } from './notices-application.ts';
import { unitDraw } from './random.ts';
import type { Destination } from './subscriptions.ts';
import type { World } from './world.ts';

/** Who may read the queue; the values are public and worthless by design. */
export const queueKey = { accessKeyId: 'AKIASANDBOXQUEUE0001', secretAccessKey: 'sandbox-queue-secret' };
/** Name of the one queue that the sandbox keeps, as destinations call it. */
export const QUEUE_ARN = 'arn:aws:sqs:us-east-1:000000000000:sandbox';
/** Path of its address. */
export const QUEUE_PATH = '/sqs/000000000000/sandbox';

const VISIBILITY_MS = 30_000;
const MEDIA_TYPE = 'application/x-amz-json-1.0';

interface Message {
  id: string;
  body: string;
  /** Throttle clock; not handed out again before. */
  hiddenUntil: number;
  receipt: string;
  received: number;
}

class QueueError extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Checks the signature of a request (AWS Signature Version 4). Throws 403. */
function authenticate(request: FastifyRequest, body: string): void {
  const header = request.headers.authorization ?? '';
  const [, credential = '', signed = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header) ?? [];
  const [accessKeyId, day = '', region = '', service = '', end = ''] = credential.split('/');
  if (accessKeyId !== queueKey.accessKeyId) {
    throw new QueueError(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
  }
  const names = signed.split(';');
  if (!['host', 'x-amz-date', 'x-amz-target'].every((name) => names.includes(name))) {
    throw new QueueError(403, 'IncompleteSignature', 'Host, date and target must be signed.');
  }
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = ['POST', request.url, '', headers, signed, sha256(body)].join('\n');
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [region, service, end].reduce(hmac, hmac(`AWS4${queueKey.secretAccessKey}`, day));
  if (!timingSafeEqual(hmac(key, text), Buffer.from(given, 'hex'))) {
    throw new QueueError(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
  }
}

type Wrap = (id: string, body: object, type: string) => object;

/** How what a destination is told arrives in the queue: as it is, or as an event of the bus that a rule passes on. */
function routeOf(destination: Destination | undefined): Wrap | undefined {
  if (destination?.arn === QUEUE_ARN) return (_, body) => body;
  const [, , , region, accountId] = QUEUE_ARN.split(':');
  if (!destination?.bus || destination.bus.region !== region || destination.bus.accountId !== accountId)
    return undefined;
  return (id, detail, type) => ({
    version: '0',
    id,
    'detail-type': type,
    source: `aws.partner/sellingpartnerapi.amazon.com/${accountId}/${destination.destinationId}`,
    account: accountId,
    region,
    resources: [],
    detail,
  });
}

/**
 * The queue that sellers' subscriptions are told into. It remembers as long as the process lives; what a subscription
 * has to tell is worked out when somebody asks.
 */
class Queue {
  readonly #world: World;
  readonly #messages: Message[] = [];
  /** Subscription to the data time up to which it has told, and what it told. */
  readonly #told = new Map<string, { until: number; ids: Set<string> }>();

  readonly #toldApplications = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  #collect(): void {
    const now = this.#world.now();
    for (const subscription of this.#world.subscriptions.all()) {
      const { subscriptionId, destinationId, since, sellingPartnerId } = subscription;
      const wrap = routeOf(this.#world.subscriptions.destination(destinationId));
      if (!wrap) continue;
      const told = this.#told.get(subscriptionId) ?? { until: since, ids: new Set<string>() };
      const target = { operation: 'notice', path: subscription.type, sellingPartnerId };
      for (const { id, body } of noticesOf(this.#world, subscription, told.until, now + 1)) {
        if (told.ids.has(id)) continue;
        told.ids.add(id);
        if (this.#world.faults.strike('noticeLost', target)) continue;
        const copies = this.#world.faults.strike('noticeDuplicated', target) ? 2 : 1;
        for (let copy = 0; copy < copies; copy += 1) this.#put(JSON.stringify(wrap(id, body, subscription.type)));
      }
      this.#told.set(subscriptionId, { until: now, ids: told.ids });
    }
    for (const { id, body } of applicationNotices(this.#world)) {
      if (this.#toldApplications.has(id)) continue;
      this.#toldApplications.add(id);
      this.#put(JSON.stringify(body));
    }
  }

  #put(body: string): void {
    this.#messages.push({ id: randomUUID(), body, hiddenUntil: 0, receipt: '', received: 0 });
  }

  /** How many wait to be handed out. */
  waiting(): number {
    this.#collect();
    const now = this.#world.throttleClock.now();
    return this.#messages.filter((one) => one.hiddenUntil <= now).length;
  }

  receive(most: number, visibilityMs: number): Message[] {
    this.#collect();
    const now = this.#world.throttleClock.now();
    const shuffled = this.#world.faults.strike('noticesShuffled', { operation: 'notice' }) !== undefined;
    const rank = (one: Message): number => (shuffled ? unitDraw('notices', one.id) : 0);
    const ready = this.#messages.filter((one) => one.hiddenUntil <= now).sort((a, b) => rank(a) - rank(b));
    return ready.slice(0, most).map((one) => {
      one.hiddenUntil = now + visibilityMs;
      one.received += 1;
      one.receipt = randomUUID();
      return one;
    });
  }

  /** Whether a message went; one whose receipt has been overtaken by a later one stays. */
  remove(receipt: string): boolean {
    const index = this.#messages.findIndex((one) => one.receipt === receipt);
    if (index >= 0) this.#messages.splice(index, 1);
    return index >= 0;
  }
}

type Fields = Record<string, unknown>;

function numberOf(fields: Fields, name: string, fallback: number): number {
  const value = fields[name];
  return typeof value === 'number' ? value : fallback;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function receive(queue: Queue, fields: Fields): object {
  const most = numberOf(fields, 'MaxNumberOfMessages', 1);
  if (most < 1 || most > 10) throw new QueueError(400, 'InvalidParameterValue', 'MaxNumberOfMessages: 1 to 10.');
  const messages = queue.receive(most, numberOf(fields, 'VisibilityTimeout', VISIBILITY_MS / 1000) * 1000);
  return {
    Messages: messages.map(({ id, receipt, body, received }) => ({
      MessageId: id,
      ReceiptHandle: receipt,
      MD5OfBody: md5(body),
      Body: body,
      Attributes: { ApproximateReceiveCount: String(received) },
    })),
  };
}

function deleteBatch(queue: Queue, fields: Fields): object {
  const entries = Array.isArray(fields.Entries) ? (fields.Entries as Fields[]) : [];
  for (const entry of entries) queue.remove(String(entry.ReceiptHandle));
  return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
}

function perform(queue: Queue, action: string, fields: Fields): object {
  if (action === 'AmazonSQS.ReceiveMessage') return receive(queue, fields);
  if (action === 'AmazonSQS.DeleteMessageBatch') return deleteBatch(queue, fields);
  if (action === 'AmazonSQS.GetQueueAttributes') {
    return { Attributes: { ApproximateNumberOfMessages: String(queue.waiting()) } };
  }
  throw new QueueError(400, 'InvalidAction', `${action} is not simulated.`);
}

/** The queue's wire (AWS JSON 1.0, signed requests) at QUEUE_PATH. */
export function registerQueue(server: FastifyInstance, world: World): void {
  const queue = new Queue(world);
  server.addContentTypeParser(MEDIA_TYPE, { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post(QUEUE_PATH, async (request, reply: FastifyReply) => {
    try {
      const body = typeof request.body === 'string' ? request.body : '';
      authenticate(request, body);
      const answer = perform(queue, String(request.headers['x-amz-target']), JSON.parse(body) as Fields);
      return await reply.type(MEDIA_TYPE).send(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof QueueError)) throw error;
      const answer = { __type: `com.amazonaws.sqs#${error.type}`, message: error.message };
      return reply.code(error.status).type(MEDIA_TYPE).send(JSON.stringify(answer));
    }
  });
}
