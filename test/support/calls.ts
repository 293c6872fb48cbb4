import type { Envelope } from '#kit/contract/envelope.ts';
import type { World } from './world.ts';

export interface RawRequest {
  /** Path behind the fixed part, or a query: "/currency", "?page=1". */
  rest?: string;
  body?: unknown;
}

/** A call as the public list spells it, a request that it grants and one that it refuses. */
export interface ListedCall {
  /** e.g. "GET /admin/api/v1/dicts/{id}". */
  call: string;
  /** Values of the call's parameters in braces. */
  at?: Record<string, string>;
  good: RawRequest;
  bad: RawRequest & {
    at?: Record<string, string>;
    /** Status of the answer and code of its body. */
    status: number;
    code: number;
  };
  /** What must be in the data of the good answer. */
  holds?: unknown;
}

/** Sends a listed call over HTTP as it is written, with or without the prefix that the public list leaves out. */
export async function sendListed(
  world: World,
  session: string | undefined,
  call: string,
  request: RawRequest & { at?: Record<string, string> | undefined },
  prefix: '' | '/api',
): Promise<{ status: number; answer: Envelope<unknown> }> {
  const [method = 'GET', path = ''] = call.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(request.at?.[key] ?? ''));
  const response = await world.app.inject({
    method: method as 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: `${prefix}${filled}${request.rest ?? ''}`,
    headers: session ? { jsessionid: session } : {},
    ...(request.body === undefined ? {} : { payload: request.body as object }),
  });
  return { status: response.statusCode, answer: response.json<Envelope<unknown>>() };
}
