import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { type Answer, type Person, urlOf, type World } from '#test/support/world.ts';
import { MUST_CHANGE } from '../contract/account.ts';
import { updatePasswordSelf } from '../contract/self.ts';

/** Passwords that people gave themselves in place of the ones that were made up for them. */
const own = new Map<string, string>();

/**
 * Somebody who logs in, in front of the API; with a one-time password he gives himself one of his own first, and has that
 * from then on.
 */
export async function loginAs(world: World, account: string, password: string): Promise<Person> {
  const person = await enter(world, account, own.get(password) ?? password);
  const fresh = `${password}-neu`.slice(-30);
  const held = await world.app.inject({
    url: '/api/admin/api/v1/menus/route',
    headers: { jsessionid: person.session },
  });
  if (held.json<Envelope<{ code?: string } | null>>().data?.code !== MUST_CHANGE) return person;
  await person.call(updatePasswordSelf, { body: { oldpassword: password, password: fresh } });
  own.set(password, fresh);
  return person;
}

async function enter(world: World, account: string, password: string): Promise<Person> {
  const response = await world.app.inject({ method: 'POST', url: '/api/auth/login', payload: { account, password } });
  const { data, msg } = response.json<Envelope<{ session: string; id: string } | null>>();
  if (!data?.session) throw new Error(`${account}: ${msg}`);
  const send = async <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    headers: Record<string, string> = {},
  ): Promise<Answer<Reply<E>>> => {
    const { body, ...rest } = input as { body?: object; params?: object; query?: object };
    const answer = await world.app.inject({
      method: endpoint.method,
      url: urlOf(endpoint, rest),
      headers: { jsessionid: data.session, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    const json = String(answer.headers['content-type'] ?? '').includes('application/json');
    const envelope = json ? answer.json<Envelope<Reply<E>>>() : undefined;
    return {
      status: answer.statusCode,
      code: envelope?.code ?? 0,
      msg: envelope?.msg ?? '',
      data: envelope?.data as Reply<E>,
      headers: answer.headers as Record<string, unknown>,
      raw: answer.rawPayload,
    };
  };
  return {
    companyId: '',
    userId: data.id,
    session: data.session,
    send,
    async call(endpoint, input, headers) {
      const answer = await send(endpoint, input, headers);
      if (answer.code !== 201) throw new Error(`${endpoint.path}: ${answer.status} ${answer.code} ${answer.msg}`);
      return answer.data;
    },
  };
}

export interface AuditRow {
  action: string;
  resource_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Audit rows of a company on one resource, oldest first. */
export function auditOf(world: World, companyId: string, resource: string): Promise<AuditRow[]> {
  return world.runtime.connections.tenant(companyId, async (_db, client) => {
    const { rows } = await client.query<AuditRow>(
      'SELECT action, resource_id, before, after FROM kit.audit WHERE company_id = $1 AND resource = $2 ORDER BY id',
      [companyId, resource],
    );
    return rows;
  });
}
