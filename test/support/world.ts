import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { ShiftedClock } from '#kit/server/clock.ts';
import { type Config, readConfig } from '#kit/server/config.ts';
import type { Ctx, Principal } from '#kit/server/context.ts';
import type { WorkerHandle } from '#kit/server/jobs/worker.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { createCompany, createMember } from '#modules/identity/server/index.ts';
import { openSession } from '#modules/identity/server/sessions.ts';
import { createApi } from '#src/app/api.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { work } from '#src/app/work.ts';
import { createDatabase } from './database.ts';

export interface Answer<T> {
  status: number;
  code: number;
  msg: string;
  data: T;
  headers: Record<string, unknown>;
  raw: Buffer;
}

/** One person in front of the API. */
export interface Person {
  companyId: string;
  userId: string;
  session: string;
  /** Calls an endpoint and insists on success. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>, headers?: Record<string, string>): Promise<Reply<E>>;
  /** Calls an endpoint and returns whatever comes. */
  send<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    headers?: Record<string, string>,
  ): Promise<Answer<Reply<E>>>;
}

export interface World {
  app: FastifyInstance;
  runtime: Runtime;
  /** The product's clock: it begins at {@link TODAY} and runs, and a story may let days go by. */
  clock: ShiftedClock;
  databaseUrl: string;
  /** The owner of a new company, logged in. */
  owner(name?: string): Promise<Person>;
  /** A member of somebody's company with exactly these permission codes, logged in. */
  member(of: Person, codes: readonly string[]): Promise<Person>;
  /** Runs server code as a person, in one transaction. */
  as<T>(person: Person, run: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Lets so much time go by: what was to be done in it is due, and nobody has waited. */
  advance(ms: number): Promise<void>;
  /** Starts the background worker, with the product's crons only if asked for; it stops with the world, or earlier by hand. */
  work(options?: { crons?: boolean }): Promise<WorkerHandle>;
  close(): Promise<void>;
}

const PASSWORD = 'Geheim-2026';

/** When worlds begin, whatever day the machine has: a Wednesday in the middle of a month and of a quarter, 10:00 in Beijing. */
export const TODAY = new Date('2026-11-18T02:00:00Z');

/** A clock that begins on that day. */
export function worldClock(): ShiftedClock {
  return new ShiftedClock(TODAY.getTime() - Date.now());
}

/** Fills the parameters of a path; every other part of the input travels as the endpoint declares. */
export function urlOf(endpoint: Endpoint, input: { params?: object; query?: object }): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String((input.params as Record<string, unknown> | undefined)?.[key] ?? '')),
  );
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  ).toString();
  return `/api${path}${query ? `?${query}` : ''}`;
}

function answerOf<T>(response: { statusCode: number; headers: object; rawPayload: Buffer }): Answer<T> {
  const headers = response.headers as Record<string, unknown>;
  const json = String(headers['content-type'] ?? '').includes('application/json');
  const body = json ? (JSON.parse(response.rawPayload.toString('utf8')) as Envelope<T>) : undefined;
  return {
    status: response.statusCode,
    code: body?.code ?? 0,
    msg: body?.msg ?? '',
    data: body?.data as T,
    headers,
    raw: response.rawPayload,
  };
}

async function send<E extends Endpoint>(
  app: FastifyInstance,
  session: string | undefined,
  endpoint: E,
  input: { params?: object; query?: object; body?: unknown },
  headers: Record<string, string> = {},
): Promise<Answer<Reply<E>>> {
  const response = await app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, input),
    headers: { ...(session ? { jsessionid: session } : {}), ...headers },
    ...(input.body === undefined ? {} : { payload: input.body as object }),
  });
  return answerOf(response);
}

/** A whole product on a database of its own, without a page; captcha off unless asked for. */
export async function createWorld(settings: Partial<Config> = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-world-'));
  const config: Config = {
    ...readConfig({
      DATA_DIR: dataDir,
      CAPTCHA: 'off',
      LOG_LEVEL: 'silent',
      SANDBOX: 'off',
      PORT: '0',
      RATE_FEED: 'off',
    }),
    jobPollMs: 100,
    clockShiftMs: worldClock().shiftMs,
    ...settings,
  };
  const clock = new ShiftedClock(config.clockShiftMs);
  const database = await createDatabase('erp', clock);
  const runtime = await openRuntime(config, database.url, clock);
  const app = await createApi(runtime);
  const workers = new Set<WorkerHandle>();

  // As a log-in would have left him. Where the log-in is the story, it is told with log-in.ts.
  const person = async (companyId: string, userId: string, userType: string): Promise<Person> => {
    const session = await runtime.connections.tenant(companyId, (db) =>
      openSession(db, {
        companyId,
        memberId: userId,
        userType,
        loginType: 'api',
        uid: null,
        ip: '127.0.0.1',
        userAgent: 'lightMyRequest',
      }),
    );
    const sendAs = <E extends Endpoint>(endpoint: E, input: CallInput<E>, headers?: Record<string, string>) =>
      send(app, session, endpoint, input, headers);
    return {
      companyId,
      userId,
      session,
      send: sendAs,
      async call(endpoint, input, headers) {
        const answer = await sendAs(endpoint, input, headers);
        if (answer.code !== 201) throw new Error(`${endpoint.path}: ${answer.status} ${answer.code} ${answer.msg}`);
        return answer.data;
      },
    };
  };

  return {
    app,
    runtime,
    clock,
    databaseUrl: database.url,
    async owner(name = '测试公司') {
      const companyId = randomUUID();
      const account = `owner-${companyId}@example.com`;
      const userId = await runtime.connections.tenant(companyId, (db) =>
        createCompany(
          db,
          companyId,
          { name, owner: { account, password: PASSWORD, name: '管理员' } },
          runtime.secrets.pepper,
        ),
      );
      return person(companyId, userId, 'owner');
    },
    async member(of, codes) {
      const account = `member-${randomUUID()}@example.com`;
      const userId = await runtime.connections.tenant(of.companyId, (db) =>
        createMember(
          db,
          of.companyId,
          { account, password: PASSWORD, name: account.slice(0, 14), codes },
          runtime.secrets.pepper,
        ),
      );
      return person(of.companyId, userId, 'member');
    },
    as(someone, run) {
      const principal: Principal = {
        sessionId: null,
        companyId: someone.companyId,
        userId: someone.userId,
        userName: '测试',
        permissions: undefined,
      };
      return inTenant(runtime, principal, run);
    },
    async advance(ms) {
      clock.advance(ms);
      await database.advance(ms);
    },
    async work({ crons = false } = {}) {
      const handle = await work(runtime, { crons });
      const stop = async () => {
        if (workers.delete(handle)) await handle.stop();
      };
      workers.add(handle);
      return { stop };
    },
    async close() {
      for (const handle of workers) await handle.stop();
      await app.close();
      await runtime.connections.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
