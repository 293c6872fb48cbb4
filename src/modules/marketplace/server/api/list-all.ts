import type { ApiRequest, SpApi } from './port.ts';

/** Reads a list of the marketplace to its end, page by page; the token of a page stands alone in the question for it. */
export async function listAll<B extends { nextToken?: string }, T>(
  api: SpApi,
  request: Pick<ApiRequest, 'operation' | 'path' | 'query'>,
  rowsOf: (body: B) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  let nextToken: string | undefined;
  do {
    const { body } = await api.call<B>({
      ...request,
      method: 'GET',
      ...(nextToken === undefined ? {} : { query: { nextToken } }),
    });
    found.push(...rowsOf(body));
    nextToken = body.nextToken || undefined;
  } while (nextToken !== undefined);
  return found;
}
