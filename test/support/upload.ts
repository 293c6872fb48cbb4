import type { Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Envelope } from '#kit/contract/envelope.ts';
import type { Person, World } from './world.ts';

const BOUNDARY = 'a-boundary-that-no-file-has';

/** Sends one file with the other fields of a form before it, as the page does; answers whatever comes. */
export async function uploadAs<E extends Endpoint>(
  world: World,
  person: Person,
  endpoint: E,
  fields: Record<string, string>,
  file: { name: string; bytes: Buffer | string },
): Promise<Envelope<Reply<E>> & { status: number }> {
  const field = ([name, value]: [string, string]) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${endpoint.path}`,
    headers: { jsessionid: person.session, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Buffer.concat([
      Buffer.from(Object.entries(fields).map(field).join('') + head),
      Buffer.from(file.bytes),
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
  });
  return { ...(JSON.parse(response.payload) as Envelope<Reply<E>>), status: response.statusCode };
}
