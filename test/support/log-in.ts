import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { type Answer, type Person, urlOf, type World } from './world.ts';

/** Somebody who logs in with his own account and password, in front of the API. */
export async function logInAs(world: World, account: string, password: string, companyId = ''): Promise<Person> {
  const response = await world.app.inject({ method: 'POST', url: '/api/auth/login', payload: { account, password } });
  const { data, msg } = response.json<Envelope<{ session: string; id: string } | null>>();
  if (!data?.session) throw new Error(`${account}: ${msg}`);
  const send = async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<Reply<E>>> => {
    const { body, ...rest } = input as { body?: object; params?: object; query?: object };
    const answer = await world.app.inject({
      method: endpoint.method,
      url: urlOf(endpoint, rest),
      headers: { jsessionid: data.session },
      ...(body === undefined ? {} : { payload: body }),
    });
    const envelope = answer.json<Envelope<Reply<E>>>();
    const { code, msg: words } = envelope;
    const headers = answer.headers as Record<string, unknown>;
    const base = { status: answer.statusCode, headers, raw: answer.rawPayload };
    return { ...base, code, msg: words, data: envelope.data as Reply<E> };
  };
  return {
    companyId,
    userId: data.id,
    session: data.session,
    send,
    async call(endpoint, input) {
      const answer = await send(endpoint, input);
      if (answer.code !== 201) throw new Error(`${endpoint.path}: ${answer.status} ${answer.code} ${answer.msg}`);
      return answer.data;
    },
  };
}
