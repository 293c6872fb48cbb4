import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Region } from '../business/types.ts';
import { settleAplus } from './aplus/settle.ts';
import { applyClockSkew, breakConnection, hang, htmlError } from './breakage.ts';
import { settleEdits } from './catalogue/settle.ts';
import { quotaExceeded, SpApiError, unauthorized } from './errors.ts';
import type { FaultKind, FaultRule, FaultTarget } from './faults.ts';
import { settleFeeds } from './feed-effect.ts';
import { settleInbound } from './inbound/settle.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { settleOutbound } from './outbound/orders.ts';
import type { RawQuery } from './query.ts';
import type { Grant } from './tokens.ts';
import { accountKey, type World } from './world.ts';

const REGIONS: Region[] = ['na', 'eu', 'fe'];

interface OperationRequest {
  Params: Record<string, string>;
  Querystring: RawQuery;
}

/** The token of a request: without it and a name the real gateway refuses, so does this one. Throws 400 or 403. */
function presentedBy(request: FastifyRequest<OperationRequest>): string {
  const agent = request.headers['user-agent'];
  if (agent === undefined || agent === '' || agent.length > 500) {
    throw new SpApiError(400, 'InvalidInput', 'A User-Agent header of at most 500 characters is required.');
  }
  const presented = request.headers['x-amz-access-token'];
  if (typeof presented !== 'string' || presented === '') throw unauthorized('Access token is missing in the request.');
  return presented;
}

/** The seller who stands behind a call. Throws 400 or 403. */
function grantOf(world: World, request: FastifyRequest<OperationRequest>): Grant {
  const token = world.mint.read('access', presentedBy(request));
  if (!token) throw unauthorized('The access token you provided is revoked, malformed or invalid.');
  if (token.expiresAt === undefined || world.throttleClock.now() >= token.expiresAt) {
    throw unauthorized('The access token you provided has expired.');
  }
  if (!world.stands(token.body)) throw unauthorized('The seller has revoked the authorization.');
  return token.body;
}

/** The application that calls in its own name, as a seller without a name. Throws 400 or 403. */
function applicationOf(world: World, request: FastifyRequest<OperationRequest>, scope: string): Grant {
  const token = world.mint.read('grantless', presentedBy(request));
  if (!token) throw unauthorized('Access token is invalid for a grantless operation.');
  if (token.expiresAt === undefined || world.throttleClock.now() >= token.expiresAt) {
    throw unauthorized('The access token you provided has expired.');
  }
  if (!token.body.scope.split(' ').includes(`sellingpartnerapi::${scope}`))
    throw unauthorized('The token lacks the scope.');
  const region = REGIONS.find((one) => one === request.params.region) ?? 'na';
  return { clientId: token.body.clientId, sellingPartnerId: '', region, consentAt: 0 };
}

/** Parameters of the path by their names. */
function paramsOf(operation: Operation, request: FastifyRequest<OperationRequest>): Record<string, string> {
  if (!operation.greedy) return request.params;
  const { '*': rest = '', ...params } = request.params;
  return { ...params, [operation.path.split('/:').at(-1) ?? '']: rest };
}

function callOf(
  world: World,
  operation: Operation,
  request: FastifyRequest<OperationRequest>,
  grant: Grant,
  target: FaultTarget,
): Call {
  const nobody = { sellingPartnerId: '', region: grant.region, storeName: '', marketplaceIds: [] };
  const account = operation.grantless ? nobody : world.account(grant.sellingPartnerId, grant.region);
  const region: string | undefined = request.params.region;
  if (!account || grant.region !== region) {
    throw unauthorized(`The access token is not valid for region '${region ?? ''}'.`);
  }
  return {
    world,
    operation: operation.name,
    account,
    clientId: grant.clientId,
    query: request.query,
    params: paramsOf(operation, request),
    body: request.body,
    now: world.now(),
    strike: (kind: FaultKind, reportType?: string): FaultRule | undefined =>
      world.faults.strike(kind, reportType === undefined ? target : { ...target, reportType }),
  };
}

/** Serve one request: who asks, may they, how often, does a fault strike, and only then the operation itself. */
async function serve(
  world: World,
  operation: Operation,
  request: FastifyRequest<OperationRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const target: FaultTarget = { operation: operation.name, path: request.url };
  try {
    const grant = operation.grantless ? applicationOf(world, request, operation.grantless) : grantOf(world, request);
    target.sellingPartnerId = grant.sellingPartnerId;
    if (operation.greedy && /%2f/i.test(request.url.split('?')[0] ?? ''))
      throw unauthorized('There is no such resource.');
    const call = callOf(world, operation, request, grant, target);
    const early = strikeBefore(world, target);
    if (early) return await early(reply);
    const key = `${accountKey(grant)}|${grant.clientId}|${operation.name}`;
    reply.header('x-amzn-RateLimit-Limit', String(world.throttle.rateOf(operation.plan)));
    if (!world.throttle.take(key, operation.plan) || world.faults.strike('throttleStorm', target)) {
      throw quotaExceeded();
    }
    if (world.faults.strike('roleRemoved', target)) throw unauthorized('The application lacks a required role.');
    settleFeeds(world);
    settleInbound(world);
    settleOutbound(world);
    settleEdits(world);
    settleAplus(world);
    if (operation.before) call.found = await operation.before(call);
    const answer = operation.handle(call);
    tell(world, operation, request, answer.status ?? 200, answer.body);
    const late = strikeAfter(world, target, answer);
    return late ? await late(reply) : await reply.code(answer.status ?? 200).send(answer.body);
  } catch (error) {
    if (!(error instanceof SpApiError)) throw error;
    const body = errorBody(operation, error);
    tell(world, operation, request, error.status, body);
    return reply.code(error.status).send(body);
  }
}

function errorBody({ noEmptyDetails }: Operation, error: SpApiError): object {
  const body = error.body();
  if (!noEmptyDetails) return body;
  return { errors: body.errors.map(({ details, ...rest }) => ({ ...rest, ...(details === '' ? {} : { details }) })) };
}

function tell(
  world: World,
  operation: Operation,
  request: FastifyRequest<OperationRequest>,
  status: number,
  reply: unknown,
): void {
  const { region: _, ...params } = paramsOf(operation, request);
  world.settings.watch?.({ operation, query: request.query, params, body: request.body, status, reply });
}

type Breakage = (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Faults that hit before the operation has any effect. */
function strikeBefore(world: World, target: FaultTarget): Breakage | undefined {
  const timeout = world.faults.strike('timeoutBefore', target);
  if (timeout) return (reply) => hang(reply, timeout.ms);
  const server = world.faults.strike('serverError', target);
  return server ? (reply) => htmlError(reply, server.status ?? 503) : undefined;
}

/** Faults that hit after the operation took effect: the caller cannot know whether it did. */
function strikeAfter(world: World, target: FaultTarget, answer: Answer): Breakage | undefined {
  const timeout = world.faults.strike('timeoutAfter', target);
  if (timeout) return (reply) => hang(reply, timeout.ms);
  const reset = world.faults.strike('connectionReset', target);
  return reset
    ? (reply) => breakConnection(reply, Buffer.from(JSON.stringify(answer.body ?? {})), 'application/json')
    : undefined;
}

/** Register every operation below /spapi/:region; everything else there answers 501 in the API's error shape. */
export function registerGateway(server: FastifyInstance, world: World, operations: readonly Operation[]): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/spapi/')) return;
    reply.header('x-amzn-RequestId', randomUUID());
    applyClockSkew(reply, world.faults.strike('clockSkew', { path: request.url }));
  });
  for (const operation of operations) {
    server.route<OperationRequest>({
      method: operation.method,
      url: `/spapi/:region(${REGIONS.join('|')})${operation.greedy ? operation.path.replace(/:\w+$/, '*') : operation.path}`,
      handler: (request, reply) => serve(world, operation, request, reply),
    });
  }
  server.all('/spapi/*', async (request, reply) =>
    reply.code(501).send({
      errors: [
        {
          code: 'NotImplemented',
          message: 'The sandbox marketplace does not simulate this operation.',
          details: `${request.method} ${request.url.split('?')[0]}`,
        },
      ],
    }),
  );
}
