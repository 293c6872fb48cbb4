import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { createAdsApi } from '../ads/client.ts';
import { linkedProfile } from '../ads/linked.ts';
import { adsStreams } from '../ads/streams.ts';
import { createSpApi, type Usage } from '../api/client.ts';
import { type AccountRef, type Fetched, type StreamDef, streams } from '../streams.ts';

/** A stream of an account or of one of its marketplaces; '' for the whole account. */
export interface StreamPlace {
  stream: string;
  marketplaceId: string;
}

type Span = { from: string; to: string };

export interface StreamReader {
  def: Omit<StreamDef, 'scope' | 'fetch'>;
  fetch: (window: Span) => Promise<Fetched>;
}

/**
 * How a stream reads a window: from the selling partner API, or from the advertising API of the linked profile. With
 * `spare` it leaves a part of the saved-up calls to whoever reads the present. Undefined for an unknown stream.
 */
export function fetchOf(
  runtime: Runtime,
  account: AccountRef,
  place: StreamPlace,
  usage: Usage,
  spare = false,
): StreamReader | undefined {
  const { modules } = runtime;
  const { marketplaceId } = place;
  const stream = extensionsOf(modules, streams).find((def) => def.code === place.stream);
  if (stream) {
    const fetch = ({ from, to }: Span) =>
      stream.fetch({
        runtime,
        account,
        marketplaceId: marketplaceId || undefined,
        window: { from, to },
        api: createSpApi(runtime, account, usage, spare),
      });
    return { def: stream, fetch };
  }
  const ads = extensionsOf(modules, adsStreams).find((def) => def.code === place.stream);
  if (!ads) return undefined;
  const fetch = async ({ from, to }: Span) => {
    const { connection, profile } = await linkedProfile(runtime, account, marketplaceId);
    const api = createAdsApi(runtime, connection, usage, undefined, account.id);
    return ads.fetch({ runtime, account, profile, window: { from, to }, api });
  };
  return { def: ads, fetch };
}
