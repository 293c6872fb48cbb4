import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type { FastifyInstance } from 'fastify';
import { progress, reportTimes, timed } from './support/measure.ts';
import { type BenchWorld, OWNER } from './support/world.ts';

/** As many as the product computes at a time. */
const HASHES_AT_ONCE = 4;
const CALLS_AT_ONCE = 32;
/** Calls by which the rate of answers is measured, spread over all sessions and by one of them. */
const CALLS = 3_000;

/** Runs all of them, `width` at a time. */
async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const runner = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, runner));
}

/** Members with the owner's password; returns their accounts. */
async function members(world: BenchWorld, companyId: string, kind: string, count: number): Promise<string[]> {
  const { rows } = await world.admin.query<{ account: string }>(
    `INSERT INTO identity.member (company_id, account, password_hash, name, user_type)
     SELECT company_id, $4 || n || '@example.com', password_hash, '测量 ' || n, 'owner'
       FROM identity.member, generate_series(1, $3) AS n WHERE company_id = $1 AND account = $2 RETURNING account`,
    [companyId, OWNER.account, count, `bench-${kind}-`],
  );
  return rows.map((row) => row.account);
}

/** One session for each of so many members, written straight into the table. */
async function sessions(world: BenchWorld, companyId: string, count: number): Promise<string[]> {
  const accounts = await members(world, companyId, 'session', count);
  const tokens = accounts.map(() => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await world.admin.query(
    `INSERT INTO identity.session (company_id, token_hash, member_id, login_type, expires_at)
     SELECT m.company_id, s.hash, m.id, 'api', now() + interval '1 day'
       FROM unnest($2::text[], $3::text[]) AS s (account, hash)
       JOIN identity.member m ON m.company_id = $1 AND m.account = s.account`,
    [companyId, accounts, hashes],
  );
  return tokens;
}

async function logIn(app: FastifyInstance, account: string): Promise<void> {
  const payload = { account, password: OWNER.password };
  // Everybody from an address of his own: attempts from one address are judged one after the other.
  const remoteAddress = `10.${[1, 2, 3].map(() => randomInt(256)).join('.')}`;
  const response = await app.inject({ method: 'POST', url: '/api/auth/login', payload, remoteAddress });
  if (response.json().code !== 201) throw new Error(`log-in: ${response.body}`);
}

async function callAs(app: FastifyInstance, session: string): Promise<void> {
  const url = '/api/admin/api/v1/users/info';
  const response = await app.inject({ method: 'GET', url, headers: { jsessionid: session } });
  if (response.json().code !== 201) throw new Error(`call: ${response.body}`);
}

/** What the same calls cost at least: the session, then the member, each by its index. */
async function readAs(world: BenchWorld, session: string): Promise<void> {
  const { pool } = world.runtime.connections;
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY; SET LOCAL app.scope = 'system'; SET LOCAL app.company_id = ''");
    const hash = createHash('sha256').update(session).digest('hex');
    const found = await client.query('SELECT company_id, member_id FROM identity.session WHERE token_hash = $1', [
      hash,
    ]);
    const { company_id, member_id } = found.rows[0] as { company_id: string; member_id: string };
    await client.query('SELECT name FROM identity.member WHERE company_id = $1 AND id = $2', [company_id, member_id]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/**
 * Log-ins at once against the same number of password checks alone, four at a time; calls of active sessions, first and
 * repeated, against the two indexed reads behind them; calls spread over all sessions against those of one; and how long calls take while everybody logs in.
 */
export async function logins(world: BenchWorld, logInCount: number, sessionCount: number): Promise<void> {
  const { companyId } = await world.company();
  const { app } = await world.api();
  const accounts = await members(world, companyId, 'login', logInCount);
  const tokens = await sessions(world, companyId, sessionCount);
  const { rows } = await world.admin.query<{ hash: string }>(
    'SELECT password_hash AS hash FROM identity.member WHERE account = $1',
    [OWNER.account],
  );
  const hash = rows[0]?.hash ?? '';
  const peppered = createHmac('sha256', world.runtime.secrets.pepper).update(OWNER.password).digest('base64');
  const checkAlone = async () => {
    if (!(await verify(hash, peppered))) throw new Error('the baseline checks another password');
  };

  await logIn(app, OWNER.account);
  await checkAlone();
  const alone = await timed(world, () => inParallel(accounts, HASHES_AT_ONCE, checkAlone));
  const ours = await timed(world, () => inParallel(accounts, logInCount, (account) => logIn(app, account)));
  reportTimes(`log-in: ${logInCount} at once / hashes alone`, ours, alone, 'reported');

  const reads = await timed(world, () => inParallel(tokens, CALLS_AT_ONCE, (token) => readAs(world, token)));
  const first = await timed(world, () => inParallel(tokens, CALLS_AT_ONCE, (token) => callAs(app, token)));
  reportTimes(`session: ${sessionCount} first calls / two indexed reads`, first, reads, 'reported');
  const again = await timed(world, () => inParallel(tokens, CALLS_AT_ONCE, (token) => callAs(app, token)));
  reportTimes(`session: ${sessionCount} calls from memory / two indexed reads`, again, reads, 'reported');

  const spread = Array.from({ length: CALLS }, (_, at) => tokens[at % tokens.length] ?? '');
  const only = Array.from({ length: CALLS }, () => tokens[0] ?? '');
  const oneUser = await timed(world, () => inParallel(only, CALLS_AT_ONCE, (token) => callAs(app, token)));
  const manyUsers = await timed(world, () => inParallel(spread, CALLS_AT_ONCE, (token) => callAs(app, token)));
  reportTimes(`session: ${CALLS} calls of ${tokens.length} sessions / of one session`, manyUsers, oneUser, 'reported');
  const rate = (ms: number) => Math.round((CALLS * 1000) / ms);
  progress(`requests per second: ${rate(manyUsers.ms)} of ${tokens.length} sessions, ${rate(oneUser.ms)} of one`);

  const times: number[] = [];
  const burst = inParallel(accounts, logInCount, (account) => logIn(app, account));
  await inParallel(tokens, 1, async (token) => {
    const begin = performance.now();
    await callAs(app, token);
    times.push(performance.now() - begin);
  });
  await burst;
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  progress(`calls of active sessions while ${logInCount} log in: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
