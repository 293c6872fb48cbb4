import type { StreamDef } from '../streams.ts';

export interface Window {
  from: string;
  to: string;
  /** Whether more of the past is left to read right after this. */
  behind: boolean;
}

/**
 * The window of the next run: from = watermark - overlap (or the beginning of the history), to = now - safety lag, but
 * never longer than the stream allows. Nothing where the safety lag has not passed yet.
 */
export function nextWindow(
  stream: Pick<StreamDef, 'overlapSec' | 'safetyLagSec' | 'maxWindowSec'> & { historySec: number },
  watermark: string | null,
  now: Date,
): Window | undefined {
  const end = now.getTime() - stream.safetyLagSec * 1000;
  const mark = watermark === null ? end - stream.historySec * 1000 : Date.parse(watermark);
  if (mark > end) return undefined;
  const from = watermark === null ? mark : mark - stream.overlapSec * 1000;
  const to = Math.min(end, mark + stream.maxWindowSec * 1000);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), behind: to < end };
}
