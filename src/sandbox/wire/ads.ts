import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Region, SimAccount } from '../business/types.ts';
import { hang, htmlError } from './breakage.ts';
import type { FaultTarget } from './faults.ts';
import type { World } from './world.ts';

/** The advertising API refuses in a shape of its own. */
class AdsError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, details: string) {
    super(details);
    this.status = status;
    this.code = code;
  }
}

interface AdsRequest {
  Params: { region: Region; profileId?: string };
}

/** Whose token this is. Throws 401 for a token that is missing, foreign, too old or taken back. */
function accountOf(world: World, request: FastifyRequest<AdsRequest>): SimAccount {
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

function profileShape(world: World, account: SimAccount, marketplaceId: string): object {
  const market = world.marketplace(marketplaceId);
  return {
    profileId: profileIdOf(account, marketplaceId),
    // This API calls the United Kingdom by its other name.
    countryCode: market.countryCode === 'GB' ? 'UK' : market.countryCode,
    currencyCode: market.currency,
    dailyBudget: 999_999_999,
    timezone: market.timeZone,
    accountInfo: {
      marketplaceStringId: marketplaceId,
      id: account.sellingPartnerId,
      type: 'seller',
      name: account.storeName,
      validPaymentMethod: true,
    },
  };
}

const PROFILE_PLAN = { rate: 5, burst: 10 };

function admit(world: World, account: SimAccount, target: FaultTarget): void {
  const key = `ads|${account.sellingPartnerId}|${account.region}|${target.operation}`;
  if (!world.throttle.take(key, PROFILE_PLAN) || world.faults.strike('throttleStorm', target)) {
    throw new AdsError(429, 'TOO_MANY_REQUESTS', 'Too Many Requests');
  }
}

type Handler = (account: SimAccount, request: FastifyRequest<AdsRequest>) => object;

async function answer(
  world: World,
  operation: string,
  request: FastifyRequest<AdsRequest>,
  reply: FastifyReply,
  handler: Handler,
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
    admit(world, account, target);
    return await reply.send(handler(account, request));
  } catch (error) {
    if (!(error instanceof AdsError)) throw error;
    return reply.code(error.status).send({ code: error.code, details: error.message, requestId });
  }
}

/** The advertising API below /ads/:region: profiles; everything else there answers 501. */
export function registerAds(server: FastifyInstance, world: World): void {
  const base = '/ads/:region(na|eu|fe)';
  const profiles = (account: SimAccount) => account.marketplaceIds.map((id) => profileShape(world, account, id));
  server.get<AdsRequest>(`${base}/v2/profiles`, (request, reply) =>
    answer(world, 'listProfiles', request, reply, (account) => profiles(account)),
  );
  server.get<AdsRequest>(`${base}/v2/profiles/:profileId`, (request, reply) =>
    answer(world, 'getProfileById', request, reply, (account) => {
      const wanted = request.params.profileId;
      const id = account.marketplaceIds.find((one) => String(profileIdOf(account, one)) === wanted);
      if (id === undefined) throw new AdsError(404, 'NOT_FOUND', `Could not find profile with ID ${wanted}`);
      return profileShape(world, account, id);
    }),
  );
  server.all('/ads/*', async (request, reply) =>
    reply.code(501).send({ code: 'NOT_IMPLEMENTED', details: `${request.method} ${request.url.split('?')[0]}` }),
  );
}
