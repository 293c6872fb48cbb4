import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isScenario, SCENARIOS } from '../business/scenario.ts';
import type { Region, SimAccount } from '../business/types.ts';
import { aplusControl } from './aplus/control.ts';
import { settleAplus } from './aplus/settle.ts';
import { listingControl } from './catalogue/control.ts';
import { settleEdits } from './catalogue/settle.ts';
import type { ClockCommand, ClockMode } from './clock.ts';
import { iso, utcMidnight } from './clock.ts';
import { registerConsole } from './console.ts';
import { faultKinds, inboundFaultKinds, parseRule } from './faults.ts';
import { inboundControl, inboundView } from './inbound/control.ts';
import { settleInbound } from './inbound/settle.ts';
import { feesControl, feesView } from './measure-control.ts';
import { outboundControl } from './outbound/control.ts';
import { parseInstant, type RawQuery, text } from './query.ts';
import type { AccountStanding } from './report-performance.ts';
import { rivalsControl, rivalsView } from './rivals-control.ts';
import { accountKey, type Restart, type World } from './world.ts';

/** A request the control surface cannot follow; answered 400 with its message. */
class ControlError extends Error {}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

function clockView(world: World): object {
  const { mode, factor } = world.clock.state;
  const now = world.now();
  const throttleNow = world.throttleClock.now();
  return { mode, factor, now, nowIso: iso(now), throttleNow, throttleNowIso: iso(throttleNow) };
}

function record(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new ControlError('A JSON object is expected.');
  return Object.fromEntries(Object.entries(body));
}

function numberOf(fields: Record<string, unknown>, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ControlError(`${name}: a number is expected.`);
  return value;
}

/** An instant given as epoch ms or as ISO text. */
function instantOf(fields: Record<string, unknown>, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'string' ? parseInstant(name, value) : numberOf(fields, name);
}

function modeOf(fields: Record<string, unknown>): ClockMode | undefined {
  const { mode } = fields;
  if (mode === undefined || mode === 'frozen' || mode === 'real' || mode === 'scaled') return mode;
  throw new ControlError('mode: one of frozen, real, scaled is expected.');
}

function clockCommand(body: unknown): ClockCommand {
  const fields = record(body);
  const mode = modeOf(fields);
  const factor = numberOf(fields, 'factor');
  const advanceMs = numberOf(fields, 'advanceMs');
  const setAt = instantOf(fields, 'setAt');
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(factor === undefined ? {} : { factor }),
    ...(advanceMs === undefined ? {} : { advanceMs }),
    ...(setAt === undefined ? {} : { setAt }),
  };
}

function restartOf(body: unknown): Restart {
  const fields = record(body);
  const { seed, scenario } = fields;
  if (seed !== undefined && typeof seed !== 'string') throw new ControlError('seed: a text is expected.');
  if (scenario !== undefined && !isScenario(scenario)) {
    throw new ControlError(`scenario: one of ${SCENARIOS.join(', ')} is expected.`);
  }
  const startAt = instantOf(fields, 'startAt');
  const at = instantOf(fields, 'now');
  const mode = modeOf(fields);
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(startAt === undefined ? {} : { startAt: utcMidnight(startAt) }),
    ...(mode === undefined && at === undefined
      ? {}
      : { clock: { mode: mode ?? 'frozen', ...(at === undefined ? {} : { at }) } }),
  };
}

function regionOf(value: unknown): Region {
  if (value === 'na' || value === 'eu' || value === 'fe') return value;
  throw new ControlError('region: one of na, eu, fe is expected.');
}

function accountOf(world: World, fields: Record<string, unknown>): SimAccount {
  const account = world.account(String(fields.sellingPartnerId), regionOf(fields.region));
  if (!account) throw new ControlError('No such seller in that region.');
  return account;
}

function standingOf(value: unknown): AccountStanding {
  if (value === 'NORMAL' || value === 'AT_RISK' || value === 'DEACTIVATED') return value;
  throw new ControlError('standing: one of NORMAL, AT_RISK, DEACTIVATED is expected.');
}

function stateView(world: World): object {
  return {
    seed: world.seed,
    scenario: world.scenario,
    startAt: world.startAt,
    clock: clockView(world),
    url: world.publicUrl,
    applications: world.settings.apps.map(({ applicationId, clientId }) => ({ applicationId, clientId })),
    accounts: world.business.accounts,
    marketplaces: world.business.marketplaces,
    reports: world.reports.length,
    revoked: world.revocations(),
    faults: world.faults.list(),
    rateFactor: world.throttle.rateFactor,
  };
}

function truthView(world: World, query: RawQuery): object {
  const account = accountOf(world, query);
  const marketplaceId = text(query, 'marketplaceId') ?? '';
  if (!account.marketplaceIds.includes(marketplaceId)) throw new ControlError('The seller does not sell there.');
  const now = world.now();
  const bound = (name: string, fallback: number): number => {
    const value = text(query, name);
    if (value === undefined) return fallback;
    return /^\d{9,}$/.test(value) ? Number(value) : parseInstant(name, value);
  };
  const range = { from: bound('from', world.startAt), to: bound('to', now) };
  return world.business.truth(account, marketplaceId, range, now);
}

/** Agree in the seller's name without a browser: a refresh token for a client, as consent plus exchange would give. */
function authorise(world: World, body: unknown): object {
  const fields = record(body);
  const { sellingPartnerId, region } = accountOf(world, fields);
  const clientId = typeof fields.clientId === 'string' ? fields.clientId : (world.settings.apps[0]?.clientId ?? '');
  if (!world.appByClientId(clientId)) throw new ControlError('No such application.');
  const grant = { clientId, sellingPartnerId, region, consentAt: world.throttleClock.now() };
  return { sellingPartnerId, region, refreshToken: world.mint.issue({ kind: 'refresh', body: grant }) };
}

function faultCommand(world: World, body: unknown): object {
  const { action = 'add', ...rule } = record(body);
  if (action === 'list') return { faults: world.faults.list() };
  if (action === 'clear') {
    const id = typeof rule.id === 'string' ? rule.id : undefined;
    return { cleared: world.faults.clear(id), faults: world.faults.list() };
  }
  if (action !== 'add') throw new ControlError('action: one of add, list, clear is expected.');
  return { added: world.faults.add(parseRule(rule)), faults: world.faults.list() };
}

type Handler = (request: FastifyRequest<{ Querystring: RawQuery }>) => object;

async function answer(handler: Handler, request: FastifyRequest<{ Querystring: RawQuery }>, reply: FastifyReply) {
  if (!isLoopback(request.ip))
    return reply.code(403).send({ message: 'The control surface answers this machine only.' });
  // Pages of other origins may send forms here, but JSON only after asking first, which nobody answers.
  const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
  if (request.method === 'POST' && !isJson) return reply.code(415).send({ message: 'A JSON body is expected.' });
  try {
    return await reply.send(handler(request));
  } catch (error) {
    // Whatever a command stumbles over is the caller's to know: there is no secret here and nobody else to tell.
    return reply.code(400).send({ message: error instanceof Error ? error.message : String(error) });
  }
}

/** The control surface below /control: clocks, truth, audit, faults, meters, revocation, a new beginning. */
export function registerControl(server: FastifyInstance, world: World): void {
  const route = (method: 'GET' | 'POST', url: string, handler: Handler): void => {
    server.route<{ Querystring: RawQuery }>({ method, url, handler: (rq, rp) => answer(handler, rq, rp) });
  };
  registerConsole(server, isLoopback);
  route('GET', '/control/state', () => stateView(world));
  route('GET', '/control/clock', () => clockView(world));
  route('POST', '/control/clock', (request) => {
    world.commandClock(clockCommand(request.body));
    return clockView(world);
  });
  route('GET', '/control/truth', (request) => truthView(world, request.query));
  route('GET', '/control/audit', () => {
    const messages = world.business.audit(world.now());
    return { ok: messages.length === 0, messages };
  });
  route('GET', '/control/faults', () => ({
    faults: world.faults.list(),
    kinds: faultKinds,
    inboundKinds: inboundFaultKinds,
  }));
  route('POST', '/control/faults', (request) => faultCommand(world, request.body));
  route('GET', '/control/throttle', () => ({ rateFactor: world.throttle.rateFactor, meters: world.throttle.meters() }));
  route('POST', '/control/throttle', (request) => {
    const rateFactor = numberOf(record(request.body), 'rateFactor');
    if (rateFactor === undefined || rateFactor <= 0) throw new ControlError('rateFactor: above zero is expected.');
    world.throttle.rateFactor = rateFactor;
    return { rateFactor, meters: world.throttle.meters() };
  });
  route('POST', '/control/authorise', (request) => authorise(world, request.body));
  route('POST', '/control/revoke', (request) => {
    const fields = record(request.body);
    const { sellingPartnerId, region } = accountOf(world, fields);
    world.revoke(sellingPartnerId, region, fields.ads === true);
    return { revoked: world.revocations() };
  });
  route('POST', '/control/secretExpiry', (request) => {
    const fields = record(request.body);
    const clientId = String(fields.clientId);
    const app = world.appByClientId(clientId);
    if (!app) throw new ControlError('No such application.');
    const at = world.now();
    world.command({ type: 'secretExpiry', clientId, at, until: at + (numberOf(fields, 'inDays') ?? 30) * 86_400_000 });
    return { usable: world.secrets.usable(app, at).length };
  });
  route('POST', '/control/standing', (request) => {
    const fields = record(request.body);
    const key = accountKey(accountOf(world, fields));
    world.setStanding(key, standingOf(fields.standing));
    return { account: key, standing: world.standing(key, world.now()) };
  });
  route('GET', '/control/inbound', () => {
    settleInbound(world);
    return inboundView(world);
  });
  route('POST', '/control/inbound', (request) => {
    settleInbound(world);
    return inboundControl(world, request.body);
  });
  route('POST', '/control/outbound', (request) => outboundControl(world, request.body));
  route('POST', '/control/listing', (request) => {
    settleEdits(world);
    const fields = record(request.body);
    return listingControl(world, fields.action === 'settings' ? undefined : accountOf(world, fields), fields);
  });
  route('POST', '/control/aplus', (request) => {
    settleAplus(world);
    const fields = record(request.body);
    return aplusControl(world, fields.action === 'settings' ? undefined : accountOf(world, fields), fields);
  });
  route('GET', '/control/rivals', (request) => rivalsView(world, accountOf(world, request.query), request.query));
  route('POST', '/control/rivals', (request) => {
    const fields = record(request.body);
    return rivalsControl(world, accountOf(world, fields), fields);
  });
  route('GET', '/control/fees', (request) => feesView(world, accountOf(world, request.query)));
  route('POST', '/control/fees', (request) => {
    const fields = record(request.body);
    return feesControl(world, accountOf(world, fields), fields);
  });
  route('POST', '/control/reset', (request) => {
    world.reset(restartOf(request.body));
    return stateView(world);
  });
}
