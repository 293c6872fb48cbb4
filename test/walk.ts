// What the walks over all endpoints and all tables share.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { z } from 'zod';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { routes } from '#src/app/api.ts';
import { modules } from '#src/app/modules.ts';
import { proof, seed } from './support/depth.ts';
import type { Person, World } from './support/world.ts';

export const endpoints: readonly Endpoint[] = routes.map((route) => route.endpoint);

/** Schemas of whose tables a call can know ids: that of its module and those of the modules that it needs. */
const known = new Map(
  modules.flatMap(({ name, needs, routes: own }) =>
    (own ?? []).map(({ endpoint }) => [endpoint, new Set([name, ...needs])] as const),
  ),
);

/** Whether a call could look for rows of a table ("schema.table") by their ids. */
export function knows(endpoint: Endpoint, table: string): boolean {
  return known.get(endpoint)?.has(table.split('.')[0] ?? '') ?? true;
}

const homes = new Map(modules.flatMap(({ name, routes: own }) => (own ?? []).map(({ endpoint }) => [endpoint, name])));

/** Of rows of other modules the gate tries one in so many on a call, and of those of the call's own at most so many. */
const ONE_IN = 20;
const OWN = 3;

/**
 * The rows whose ids are worth trying on a call: all that it could look for. The gate tries some of its own module and a few
 * of the others; which ones differs from call to call and from seed to seed.
 */
export function worthTrying<T extends readonly [table: string, id: string]>(
  endpoint: Endpoint,
  rows: readonly T[],
): T[] {
  const known = rows.filter(([table]) => knows(endpoint, table));
  if (proof) return known;
  const turn = seed + endpoint.path.length + endpoint.method.length;
  const isOwn = ([table]: T) => table.startsWith(`${homes.get(endpoint)}.`);
  const inTurn = (some: T[], one: number) => some.filter((_, index) => (index + turn) % one === 0);
  const own = known.filter(isOwn);
  const others = known.filter((row) => !isOwn(row));
  return [...inTurn(own, Math.ceil(own.length / OWN)), ...inTurn(others, ONE_IN)];
}

/** Whether a call takes an id at all: with any other one it would be sent as something else. */
export function takesAnId(endpoint: Endpoint): boolean {
  const sent = (id: string) => JSON.stringify(inputFor(endpoint, { id, all: true }));
  return sent(ONE) !== sent(OTHER);
}

const [ONE, OTHER] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];

/** Connections as the owner of the tables, bound by no row-level security. */
export function adminOf(world: World): pg.Pool {
  const pool = new pg.Pool({ connectionString: world.databaseUrl, max: 3 });
  // The database is dropped under connections that are still saying goodbye.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

export interface MintOptions {
  /** Hours until the session ends; negative: it ended already. */
  hours?: number;
  /** Hours since it was last used. */
  idleHours?: number;
  revoked?: boolean;
}

/** A session written straight into the database, so that a walk of hundreds of calls needs no log-in for each. */
export async function mint(
  admin: pg.Pool,
  person: Pick<Person, 'companyId' | 'userId'>,
  options: MintOptions = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await admin.query(
    `INSERT INTO identity.session (company_id, token_hash, member_id, login_type, expires_at, last_seen_at, revoked_at)
     VALUES ($1, $2, $3, 'api', kit.now() + make_interval(hours => $4), kit.now() - make_interval(hours => $5),
             CASE WHEN $6 THEN kit.now() END)`,
    [
      person.companyId,
      createHash('sha256').update(token).digest('hex'),
      person.userId,
      options.hours ?? 24,
      options.idleHours ?? 0,
      options.revoked ?? false,
    ],
  );
  return token;
}

type Json = Record<string, unknown>;

/** A walk over all calls may take so long on a machine that others use too. */
export const WALK_MS = 600_000;

const schemas = new WeakMap<z.ZodType, Json>();

/** JSON schema of what a caller sends. */
export function inputSchema(schema: z.ZodType): Json {
  const known = schemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  schemas.set(schema, made);
  return made;
}

export interface SampleOptions {
  /** Stands wherever a uuid is asked for, and in every field whose name ends with "id". */
  id: string;
  /** Optional fields too. */
  all: boolean;
}

const samples = new Map<string, string>();

/** A text that a pattern matches, always the same. */
function matching(pattern: string): string {
  const known = samples.get(pattern);
  if (known !== undefined) return known;
  const [text = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 7 });
  samples.set(pattern, text);
  return text;
}

function textFor(schema: Json, key: string, { id }: SampleOptions): string {
  if (schema.format === 'uuid') return id;
  if (schema.format === 'date') return '2026-03-01';
  if (schema.format === 'date-time') return '2026-03-01T00:00:00.000Z';
  if (schema.format === 'email') return 'somebody@example.com';
  if (schema.format === 'uri') return 'https://example.com/';
  if (typeof schema.pattern === 'string') return matching(schema.pattern);
  const max = Number(schema.maxLength ?? 1000);
  if (/ids?$/i.test(key) && max >= id.length) return id;
  return '样例'.repeat(Math.max(1, Math.ceil(Number(schema.minLength ?? 1) / 2))).slice(0, max);
}

/** A value that fits a JSON schema, the same for the same options. */
export function sample(schema: Json, options: SampleOptions, key = ''): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices?.[0]) return sample(choices[0], options, key);
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((part) => sample(part as Json, options, key)));
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'object': {
      const required = new Set((schema.required as string[] | undefined) ?? []);
      const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {});
      const wanted = properties.filter(([name]) => options.all || required.has(name));
      return Object.fromEntries(wanted.map(([name, property]) => [name, sample(property, options, name)]));
    }
    case 'array':
      return [sample((schema.items as Json | undefined) ?? {}, options, key)];
    case 'string':
      return textFor(schema, key, options);
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return options.id;
  }
}

export interface Sent {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A well-formed input of an endpoint. */
export function inputFor(endpoint: Endpoint, options: SampleOptions): Sent {
  const part = (schema: z.ZodType | undefined) => (schema ? sample(inputSchema(schema), options) : undefined);
  return {
    params: (part(endpoint.params) as Record<string, unknown> | undefined) ?? {},
    query: (part(endpoint.query) as Record<string, unknown> | undefined) ?? {},
    ...(endpoint.body ? { body: part(endpoint.body) } : {}),
  };
}

function encoded(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

/** Address of a call; values of any kind are written as a browser would. */
export function addressOf(endpoint: Endpoint, input: Sent, prefix = '/api'): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encoded(input.params?.[key] ?? randomUUID()));
  const query = Object.entries(input.query ?? {}).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((entry) => `${encoded(key)}=${encoded(entry)}`),
  );
  return `${prefix}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

export interface Reply {
  status: number;
  type: string;
  text: string;
  headers: Record<string, unknown>;
}

/** One call as it goes over the wire; an answer that breaks off counts as a fault. */
export async function fire(
  world: World,
  request: { method: string; url: string; session?: string; payload?: string | Buffer; type?: string },
): Promise<Reply> {
  try {
    const response = await world.app.inject({
      method: request.method as 'GET',
      url: request.url,
      headers: {
        ...(request.session ? { jsessionid: request.session } : {}),
        ...(request.payload === undefined ? {} : { 'content-type': request.type ?? 'application/json' }),
      },
      ...(request.payload === undefined ? {} : { payload: request.payload }),
    });
    const type = String(response.headers['content-type'] ?? '');
    return { status: response.statusCode, type, text: response.payload, headers: response.headers };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { status: 599, type: '', text, headers: {} };
  }
}

export interface Body {
  code: number;
  msg: string;
  data: { code?: string; perm?: string; fields?: { field: string; title: string; msg: string }[] } | null;
}

/** The envelope of a reply; throws where it is none. */
export function bodyOf(reply: Reply): Body {
  const body = JSON.parse(reply.text) as Body;
  if (typeof body.code !== 'number' || typeof body.msg !== 'string' || body.data === undefined) {
    throw new Error(`not an envelope: ${reply.text.slice(0, 200)}`);
  }
  return body;
}

/** Runs `work` over all items, a few at a time, and gathers what it complains about. */
export async function complaints<T>(items: readonly T[], work: (item: T) => Promise<string | undefined>, hands = 6) {
  const found: string[] = [];
  const queue = [...items];
  const hand = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const complaint = await work(item);
      if (complaint) found.push(complaint);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
  return found.sort();
}

export function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}
