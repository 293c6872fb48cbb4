import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { CallInput, EndpointDef, Reply } from '../../../src/kit/contract/endpoint.ts';
import { pathOf, queryOf, type RequestParts } from '../../../src/kit/web/api/url.ts';

/** What the API answers: 201 and the data, or another code with a message for the reader. */
interface Answer<T> {
  status: number;
  code: number;
  msg: string;
  data: T;
}

const DONE = 201;

/** Asks the API as whoever is logged in on the page, and returns the answer whatever it is. */
export async function sendAs<E extends EndpointDef>(
  page: Page,
  endpoint: E,
  input: CallInput<E>,
): Promise<Answer<Reply<E>>> {
  const { params, query, body }: RequestParts = input;
  const jsessionid = await page.evaluate(() => localStorage.getItem('jsessionid') ?? '');
  const response = await page.request.fetch(pathOf(endpoint, params) + queryOf(query), {
    method: endpoint.method,
    headers: { jsessionid, 'idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { data: body }),
  });
  return { status: response.status(), ...(await response.json()) };
}

/** The same for what has to succeed. @throws Error with the message of a refusal */
export async function callAs<E extends EndpointDef>(page: Page, endpoint: E, input: CallInput<E>): Promise<Reply<E>> {
  const { status, code, msg, data } = await sendAs(page, endpoint, input);
  if (code !== DONE) throw new Error(`${endpoint.path}: ${status} ${code} ${msg}`);
  return data;
}
