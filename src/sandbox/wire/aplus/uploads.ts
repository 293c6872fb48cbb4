import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { htmlError } from '../breakage.ts';
import { invalidInput, SpApiError, unauthorized } from '../errors.ts';
import { imageSvg } from '../images.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { list, text } from '../query.ts';
import type { World } from '../world.ts';
import { formOf } from './form.ts';
import { PLANTED } from './planted.ts';

const RESOURCE = 'aplus/2020-11-01/contentDocuments';
const MOST_BYTES = 3_145_728;
const LINK_LIFE_MS = 3 * 3_600_000;
const ENDINGS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png' };
const BUCKET = 'aplus-media';

/** A way to send a picture: its address carries in the query what the form has to repeat as fields. */
function createDestination(call: Call): Answer {
  const { world, account, query, params } = call;
  const [marketplaceId, second] = list(query, 'marketplaceIds');
  if (marketplaceId === undefined || second !== undefined) {
    throw invalidInput('marketplaceIds: exactly one marketplace is required');
  }
  if (!account.marketplaceIds.includes(marketplaceId)) {
    throw unauthorized(`The seller does not sell in marketplace ${marketplaceId}`);
  }
  if (params.resource !== RESOURCE) throw unauthorized(`There is no resource '${params.resource}' to upload for.`);
  const md5 = text(query, 'contentMD5');
  if (md5 === undefined) throw invalidInput('contentMD5: is required');
  const contentType = text(query, 'contentType');
  if (contentType === undefined) throw invalidInput('contentType: is required for A+ content');
  const ending = ENDINGS[contentType];
  if (ending === undefined) throw new SpApiError(415, 'InvalidInput', `'${contentType}' is not supported.`);
  const key = `sc/${randomUUID()}.${ending}`;
  const { sellingPartnerId, region } = account;
  const id = `${BUCKET}/${key}`;
  world.command({ type: 'aplusPicture', picture: { id, sellingPartnerId, region, contentType, md5 } });
  const expires = world.throttleClock.now() + LINK_LIFE_MS;
  const policy = Buffer.from(
    JSON.stringify({ conditions: [{ key }, ['content-length-range', 1, MOST_BYTES]], expires }),
  ).toString('base64');
  const search = new URLSearchParams({
    'x-amz-date': new Date(world.now()).toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    'x-amz-signature': world.mint.sign(`${key}|${policy}`),
    'x-amz-meta-owner': sellingPartnerId,
    acl: 'private',
    key,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    policy,
    'x-amz-credential': 'AKIASANDBOXAPLUS0001/us-east-1/s3/aws4_request',
  });
  return {
    status: 201,
    body: {
      errors: [],
      payload: { uploadDestinationId: id, url: `${world.publicUrl}/${BUCKET}/?${search}`, headers: {} },
    },
  };
}

/** Uploads API 2020-11-01, for A+ content. */
export const uploadOperations: Operation[] = [
  {
    name: 'createUploadDestinationForResource',
    method: 'POST',
    path: '/uploads/2020-11-01/uploadDestinations/:resource',
    greedy: true,
    plan: { rate: 10, burst: 10 },
    handle: createDestination,
  },
];

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const NO_FRAME: readonly number[] = [0xc4, 0xc8, 0xcc];

/** Width and height by the first bytes of a JPEG or PNG; undefined for anything else. */
function sizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length > 24 && bytes.subarray(0, 8).equals(PNG)) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  for (let at = 2; bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** As the storage does: errors in XML. */
function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return reply.code(status).type('application/xml').send(xml);
}

const CONDITION = 'At least one of the pre-conditions you specified did not hold';

function take(world: World, reply: FastifyReply, fields: ReadonlyMap<string, Buffer>): FastifyReply {
  const say = (name: string): string => fields.get(name)?.toString('utf8') ?? '';
  const [key, policy, bytes] = [say('key'), say('policy'), fields.get('file')];
  if (!world.mint.verify(`${key}|${policy}`, say('x-amz-signature'))) {
    return refuse(reply, 403, 'SignatureDoesNotMatch', 'The request signature does not match.');
  }
  const { expires } = JSON.parse(Buffer.from(policy, 'base64').toString('utf8')) as { expires: number };
  if (world.throttleClock.now() > expires)
    return refuse(reply, 403, 'AccessDenied', 'Invalid according to Policy: expired.');
  const picture = world.aplus.picture(`${BUCKET}/${key}`);
  if (!picture || !bytes || bytes.length === 0) return refuse(reply, 412, 'PreconditionFailed', CONDITION);
  if (bytes.length > MOST_BYTES) return refuse(reply, 400, 'EntityTooLarge', 'Your upload exceeds the maximum size.');
  const digest = createHash('md5').update(bytes);
  // Both spellings of a digest are in use.
  const [hex, base64] = [digest.copy().digest('hex'), digest.digest('base64')];
  const size = sizeOf(bytes);
  if (picture.md5 !== hex && picture.md5 !== base64)
    return refuse(reply, 400, 'BadDigest', 'The Content-MD5 did not match.');
  if (!size) return refuse(reply, 412, 'PreconditionFailed', CONDITION);
  world.command({ type: 'aplusPicture', picture: { ...picture, ...size, content: bytes.toString('base64') } });
  return reply.code(204).send();
}

/**
 * The storage behind upload destinations: POST of a form whose fields are those of the address's query, which itself has to
 * be without them; GET of what was sent, as pages of products show it.
 */
export function registerAplusMedia(server: FastifyInstance, world: World): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 8 * 1024 * 1024 }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Body: Buffer; Querystring: Record<string, string> }>(`/${BUCKET}/`, async (request, reply) => {
      const broken = world.faults.strike('serverError', { operation: 'uploadAplusImage', path: request.url });
      if (broken) return htmlError(reply, broken.status ?? 503);
      if (request.query.policy !== undefined) {
        return refuse(reply, 400, 'InvalidArgument', 'Conflicting query string parameters: acl, policy');
      }
      return take(world, reply, formOf(request.headers['content-type'] ?? '', request.body));
    });
    scope.get<{ Params: { file: string } }>(`/${BUCKET}/sc/:file`, async (request, reply) => {
      const { file } = request.params;
      const shown = reply
        .header('cache-control', 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin');
      const id = `${BUCKET}/sc/${file}`;
      if (id.startsWith(PLANTED)) return shown.type('image/svg+xml').send(imageSvg(id.slice(PLANTED.length, -4)));
      const picture = world.aplus.picture(id);
      if (picture?.content === undefined) return reply.code(404).send({ message: 'Not found' });
      return shown.type(picture.contentType).send(Buffer.from(picture.content, 'base64'));
    });
  });
}
