import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Region, SimAccount } from '../business/types.ts';
import { hang, htmlError } from './breakage.ts';
import type { FaultTarget } from './faults.ts';
import type { World } from './world.ts';

/** The advertising API refuses in a shape of its own. */
export class AdsError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, details: string) {
    super(details);
    this.status = status;
    this.code = code;
  }
}

/** A refusal of the usual kind. */
export function bad(status: 400 | 406 | 415, details: string): AdsError {
  return new AdsError(status, status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST', details);
}

export interface AdsRoute {
  Params: { region: Region; profileId?: string; reportId?: string };
  Querystring: Record<string, string | undefined>;
}
export type AdsRequest = FastifyRequest<AdsRoute>;

/** Whose token this is. Throws 401 for a token that is missing, foreign, too old or taken back. */
function accountOf(world: World, request: AdsRequest): SimAccount {
  const presented = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (presented === undefined) throw new AdsError(401, 'UNAUTHORIZED', 'Not authorized to access this advertiser');
  const token = world.mint.read('adsAccess', presented);
  const expired = token?.expiresAt === undefined || world.throttleClock.now() >= token.expiresAt;
  if (!token || expired || !world.stands(token.body, true)) {
    throw new AdsError(401, 'UNAUTHORIZED', 'Access token is invalid, revoked or expired');
  }
  if (request.headers['amazon-advertising-api-clientid'] !== token.body.clientId) {
    throw new AdsError(401, 'UNAUTHORIZED', 'Amazon-Advertising-API-ClientId does not match the token');
  }
  const account = world.account(token.body.sellingPartnerId, request.params.region);
  if (!account) throw new AdsError(401, 'UNAUTHORIZED', 'No advertiser in this region');
  return account;
}

/** Number of a seller's profile in a marketplace: the same for ever, 15 digits, so that JSON keeps it exact. */
export function profileIdOf(account: SimAccount, marketplaceId: string): number {
  const hash = createHash('sha256').update(`ads-profile|${account.sellingPartnerId}|${marketplaceId}`).digest();
  return 100_000_000_000_000 + (hash.readUIntBE(0, 6) % 900_000_000_000_000);
}

/** Marketplace of the profile that the Scope header names. Throws 400 without one, 401 for one of somebody else. */
export function scopeOf(account: SimAccount, request: AdsRequest): string {
  const scope = request.headers['amazon-advertising-api-scope'];
  if (typeof scope !== 'string' || scope === '') {
    throw new AdsError(400, 'BAD_REQUEST', 'Amazon-Advertising-API-Scope is required');
  }
  const id = account.marketplaceIds.find((one) => String(profileIdOf(account, one)) === scope);
  if (id === undefined) throw new AdsError(401, 'UNAUTHORIZED', `Not authorized to access scope ${scope}`);
  return id;
}

/** Not published by Amazon, and shared by all who call for an application in a region. */
const PLAN = { rate: 5, burst: 10 };
const REPORT_PLAN = { rate: 15, burst: 30 };
const REPORTING = new Set(['createAdsReport', 'getAdsReport']);

function admit(world: World, request: AdsRequest, reply: FastifyReply, target: FaultTarget): void {
  const key = `ads|${request.params.region}|${target.operation}`;
  const plan = REPORTING.has(target.operation ?? '') ? REPORT_PLAN : PLAN;
  if (!world.throttle.take(key, plan) || world.faults.strike('throttleStorm', target)) {
    reply.header('retry-after', '1');
    throw new AdsError(429, 'TOO_MANY_REQUESTS', 'Too Many Requests');
  }
}

export interface AdsAnswer {
  body: unknown;
  status?: number;
  type?: string;
}
export type AdsHandler = (account: SimAccount, request: AdsRequest, target: FaultTarget) => AdsAnswer;

/** Serves one call: who asks, which fault strikes, how often, and only then the operation itself. */
export async function answerAds(
  world: World,
  operation: string,
  request: AdsRequest,
  reply: FastifyReply,
  handler: AdsHandler,
): Promise<FastifyReply> {
  const requestId = randomUUID();
  reply.header('x-amz-request-id', requestId);
  const target: FaultTarget = { operation, path: request.url };
  try {
    const account = accountOf(world, request);
    target.sellingPartnerId = account.sellingPartnerId;
    const timeout = world.faults.strike('timeoutBefore', target);
    if (timeout) return hang(reply, timeout.ms);
    const broken = world.faults.strike('serverError', target);
    if (broken) return htmlError(reply, broken.status ?? 503);
    admit(world, request, reply, target);
    const { body, status = 200, type = 'application/json' } = handler(account, request, target);
    const late = world.faults.strike('timeoutAfter', target);
    if (late) return hang(reply, late.ms);
    return await reply.code(status).type(type).send(JSON.stringify(body));
  } catch (error) {
    if (!(error instanceof AdsError)) throw error;
    const { status, code, message } = error;
    // Reporting calls it `detail`, everything else `details`.
    return reply.code(status).send({ code, details: message, detail: message, requestId });
  }
}

interface TokenPage {
  rows: readonly object[];
  total: number;
  nextToken?: string;
}

/** A page by maxResults and nextToken of the body. Throws 400 for a page that is too long and a foreign token. */
export function pageByToken(
  world: World,
  operation: string,
  marketplaceId: string,
  body: unknown,
  most: number,
  list: () => readonly object[],
): TokenPage {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { maxResults = most, nextToken } = fields;
  if (typeof maxResults !== 'number' || !Number.isInteger(maxResults) || maxResults < 1 || maxResults > most) {
    throw bad(400, `maxResults must be between 1 and ${most}`);
  }
  const of = `${operation}|${marketplaceId}`;
  const opened = nextToken === undefined ? { of, offset: 0 } : world.mint.open(String(nextToken));
  const { of: owner, offset } = (opened ?? {}) as { of?: unknown; offset?: unknown };
  if (owner !== of || typeof offset !== 'number') throw bad(400, 'nextToken is not valid');
  const rows = list();
  const end = offset + maxResults;
  const more = end < rows.length ? { nextToken: world.mint.seal({ of, offset: end }) } : {};
  return { rows: rows.slice(offset, end), total: rows.length, ...more };
}

/** A page by startIndex and count of the address. Throws 400 for what is no number or too many. */
export function pageByIndex(
  query: Record<string, string | undefined>,
  most: number,
  rows: readonly object[],
): readonly object[] {
  const [start, count] = [Number(query.startIndex ?? 0), Number(query.count ?? most)];
  if (!Number.isInteger(start) || start < 0) throw bad(400, 'startIndex must be a number from 0');
  if (!Number.isInteger(count) || count < 1 || count > most) throw bad(400, `count must be between 1 and ${most}`);
  return rows.slice(start, start + count);
}
