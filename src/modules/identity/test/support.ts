import { randomUUID } from 'node:crypto';
import type { Envelope } from '#kit/contract/envelope.ts';
import type { World } from '#test/support/world.ts';
import { createCompany } from '../server/index.ts';

export const PASSWORD = 'Geheim-2026';

/** A company whose owner is not logged in yet. */
export async function company(world: World, account = `${randomUUID()}@example.com`, name = '测试公司') {
  const companyId = randomUUID();
  const userId = await world.runtime.connections.tenant(companyId, (db) =>
    createCompany(
      db,
      companyId,
      { name, owner: { account, password: PASSWORD, name: '管理员' } },
      world.runtime.secrets.pepper,
    ),
  );
  return { companyId, userId, account };
}

export interface Answer {
  status: number;
  code: number;
  msg: string;
  data: { session?: string; id?: string; code?: string; minutes?: number; captchaType?: string } & Record<
    string,
    unknown
  >;
  retryAfter: unknown;
}

type App = World['app'];

/** One call without anything around it; `ip` is the address that the caller comes from. */
export async function call(
  app: App,
  method: 'GET' | 'POST',
  url: string,
  options: { body?: object; session?: string; ip?: string } = {},
): Promise<Answer> {
  const response = await app.inject({
    method,
    url: `/api${url}`,
    ...(options.body ? { payload: options.body } : {}),
    headers: options.session ? { jsessionid: options.session } : {},
    remoteAddress: options.ip ?? '198.51.100.1',
  });
  const body = response.json<Envelope<Answer['data']>>();
  return { status: response.statusCode, ...body, retryAfter: response.headers['retry-after'] };
}

export function login(app: App, account: string, password = PASSWORD, more: object = {}, ip = '198.51.100.1') {
  return call(app, 'POST', '/auth/login', { body: { account, password, ...more }, ip });
}

/** Logs in and insists on it. */
export async function sessionOf(app: App, account: string): Promise<string> {
  const answer = await login(app, account);
  if (!answer.data?.session) throw new Error(answer.msg);
  return answer.data.session;
}

/** HTTP status and code of a call with a session. */
export async function knocks(app: App, session: string): Promise<string> {
  const answer = await call(app, 'GET', '/admin/api/v1/users/info', { session });
  return answer.status === 200 ? 'in' : String(answer.data?.code);
}
