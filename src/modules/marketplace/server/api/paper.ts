import { Readable } from 'node:stream';
import type { AccountRef } from '../streams.ts';
import { fetchVia } from './proxy.ts';

const TIMEOUT_MS = 2 * 60_000;

/**
 * The bytes behind a short-lived link of Amazon's, e.g. to labels, by the store's usual network.
 * @throws where they do not come
 */
export async function paperAt({ proxyUrl }: Pick<AccountRef, 'proxyUrl'>, url: string): Promise<Readable> {
  const response = await fetchVia(proxyUrl, url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok || !response.body) throw new Error(`下载失败：HTTP ${response.status}`);
  return Readable.fromWeb(response.body as never);
}
