import { expect } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import { myTasks } from '#modules/system/contract.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { type Person, urlOf, type World } from '#test/support/world.ts';
import { checkTable, type ImportKind, type TableCheck } from '../contract/imports.ts';
import type { autoMatch } from '../contract/match-rules.ts';
import type { findSuggestions } from '../contract/match-suggest.ts';
import { saveProduct } from '../contract/material.ts';

/** Sends a file the way a browser does, the other fields of the form before it. */
export async function upload<T>(
  world: World,
  person: Person,
  endpoint: Endpoint,
  file: { name: string; content: string | Buffer },
  { params = {}, fields = {} }: { params?: object; fields?: Record<string, string> } = {},
): Promise<Envelope<T>> {
  const boundary = 'x-boundary-x';
  const before = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `${before.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${encodeURIComponent(file.name)}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: urlOf(endpoint, { params }),
    headers: { jsessionid: person.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(file.content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return response.json();
}

/** Has a table checked. */
export function check(
  world: World,
  person: Person,
  kind: ImportKind,
  content: string | Buffer,
  fields: Record<string, string> = {},
) {
  return upload<TableCheck>(world, person, checkTable, { name: `${kind}.csv`, content }, { params: { kind }, fields });
}

/** A product by its SKU, made for a test. */
export async function product(person: Person, sku: string, more: object = {}): Promise<string> {
  const { id } = await person.call(saveProduct, { body: { sku, name: `产品 ${sku}`, ...more } });
  return id;
}

/** Starts a task with a call and waits until it is through; answers what it said at the end. Somebody must work. */
export async function finished(person: Person, starts: typeof autoMatch | typeof findSuggestions): Promise<string> {
  const { taskId } = await person.call(starts, { body: {} });
  const mine = async () => (await person.call(myTasks, {})).find((task) => task.id === taskId);
  await expect.poll(async () => (await mine())?.state, { timeout: PATIENCE_MS }).toMatch(/done|failed/);
  const task = await mine();
  return task?.error ?? task?.detail ?? '';
}
