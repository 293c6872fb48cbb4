import { z } from 'zod';
import type { AdsApi, AdsRequest } from '#modules/marketplace/server/index.ts';

/** Longest page that the lists of brands and display give. */
const PAGE = 100;
/** Far more than any profile holds; whoever answers with more pages goes in circles. */
const MAX_PAGES = 10_000;

/** An id, whether it is written as text or as a number. */
export const text = z.union([z.string(), z.number()]).transform(String);
/** A decimal as it is written; numbers that were read without rounding are texts. */
export const decimal = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).nullish();

type Where = Pick<AdsRequest, 'mediaType' | 'accept' | 'parse'> & { path: string; profileId: string };

/** All rows of a list with pages by nextToken; the answer has them under `key`. @throws ZodError for another shape */
export async function byToken<T>(api: AdsApi, where: Where & { key: string }, row: z.ZodType<T>): Promise<T[]> {
  const { key, ...request } = where;
  const answer = z.object({ [key]: z.array(row), nextToken: z.string().nullish() });
  const rows: T[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = { maxResults: PAGE, ...(nextToken === undefined ? {} : { nextToken }) };
    const found = await api.call<unknown>({ operation: `list ${request.path}`, method: 'POST', ...request, body });
    const parsed = answer.parse(found) as unknown as { nextToken?: string | null } & Record<string, T[]>;
    rows.push(...(parsed[key] ?? []));
    nextToken = parsed.nextToken ?? undefined;
    if (nextToken === undefined) return rows;
  }
  throw new Error(`${where.path} 分页没有结束`);
}

/** All rows of a list with pages by startIndex: a page that is not full is the last. @throws ZodError for another shape */
export async function byIndex<T>(api: AdsApi, where: Where, row: z.ZodType<T>): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { startIndex: page * PAGE, count: PAGE };
    const found = await api.call<unknown>({ operation: `list ${where.path}`, method: 'GET', ...where, query });
    const some = z.array(row).parse(found);
    rows.push(...some);
    if (some.length < PAGE) return rows;
  }
  throw new Error(`${where.path} 分页没有结束`);
}
