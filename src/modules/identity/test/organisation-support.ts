import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { type Answer, type Person, urlOf, type World } from '#test/support/world.ts';

/** Somebody who logs in with his own password, in front of the API. */
export async function loginAs(world: World, account: string, password: string): Promise<Person> {
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
