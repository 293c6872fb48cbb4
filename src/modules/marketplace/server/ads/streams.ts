import { extensionPoint } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { AccountRef, Fetched, StreamDef } from '../streams.ts';
import type { AdsApi, AdsProfileRef } from './port.ts';

export interface AdsStreamRun {
  runtime: Runtime;
  account: AccountRef;
  profile: AdsProfileRef;
  /** [from, to) in marketplace time, as of every stream. */
  window: { from: string; to: string };
  api: AdsApi;
}

/**
 * One kind of advertising data that the engine keeps fresh for every linked profile. Its cursor stands at the profile's
 * seller account and marketplace, of which there is one profile each.
 */
export type AdsStreamDef = Omit<StreamDef, 'scope' | 'fetch'> & { fetch: (run: AdsStreamRun) => Promise<Fetched> };

export const adsStreams = extensionPoint<AdsStreamDef>('marketplace.adsStreams');
