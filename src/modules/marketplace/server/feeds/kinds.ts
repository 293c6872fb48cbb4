import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { ModuleDef } from '#kit/server/module.ts';

/**
 * A feed that is no document of messages about SKUs: each holds one message, whose `body` says what its module makes the bytes
 * of. They are made when they are uploaded and kept nowhere here.
 */
export interface FeedKind {
  feedType: string;
  contentType: string;
  content(ctx: Ctx, body: unknown): Promise<Buffer>;
  /** `feedOptions` of createFeed. */
  options(ctx: Ctx, body: unknown): Promise<Record<string, string>>;
}

/** Feeds of modules above beside the changes of listings. */
export const feedKinds = extensionPoint<FeedKind>('marketplace.feedKinds');

/** The kind of a feed type; undefined for feeds of messages. */
export function feedKindOf(modules: readonly ModuleDef[], feedType: string): FeedKind | undefined {
  return extensionsOf(modules, feedKinds).find((kind) => kind.feedType === feedType);
}

interface Issue {
  code: string;
  severity: string;
  message: string;
}

/**
 * The processing report of such a feed: a summary, then a table of errors with tabs in between. What its lines refuse, they
 * refuse of the whole feed. `successful` 0 without a line is a refusal too.
 */
export function flatReport(text: string): { issues: Issue[] } {
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => line.startsWith('original-record-number'));
  const columns = (lines[head] ?? '').split('\t');
  const at = (cells: readonly string[], name: string) => cells[columns.indexOf(name)]?.trim() ?? '';
  const issues = (head < 0 ? [] : lines.slice(head + 1))
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t'))
    .map((cells) => ({
      code: at(cells, 'error-code'),
      severity: /warn/i.test(at(cells, 'error-type')) ? 'WARNING' : 'ERROR',
      message: at(cells, 'error-message'),
    }));
  const successful = /successful\s+(\d+)/.exec(text)?.[1];
  if (issues.length > 0 || successful !== '0') return { issues };
  return { issues: [{ code: '', severity: 'ERROR', message: '亚马逊没有接受，也没有说明原因' }] };
}
