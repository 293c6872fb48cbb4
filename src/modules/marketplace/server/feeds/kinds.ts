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
  options(ctx: Ctx, body: unknown): Promise<Record<string, string> | undefined>;
  /** A line of the processing report in Chinese, instead of its own words; undefined for one that says nothing. */
  words?(line: ReportLine): string | undefined;
}

/** What a line of a processing report says; `sku` is empty where it is about the whole feed. */
export interface ReportLine {
  code: string;
  sku: string;
  message: string;
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
 * refuse of the whole feed; what they only tell of one that was taken refuses nothing. `successful` 0 without a line is a
 * refusal too.
 */
export function flatReport(text: string, words: FeedKind['words'] = ({ message }) => message): { issues: Issue[] } {
  const lines = text.split(/\r?\n/);
  const successful = /successful\s+(\d+)/.exec(text)?.[1];
  const head = lines.findIndex((line) => line.startsWith('original-record-number'));
  const columns = (lines[head] ?? '').split('\t');
  const at = (cells: readonly string[], name: string) => cells[columns.indexOf(name)]?.trim() ?? '';
  const issues = (head < 0 ? [] : lines.slice(head + 1))
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t'))
    .flatMap((cells) => {
      const line = { code: at(cells, 'error-code'), sku: at(cells, 'sku'), message: at(cells, 'error-message') };
      const message = words(line);
      const isNote = (Number(successful) > 0 ? /warn|info/i : /warn/i).test(at(cells, 'error-type'));
      return message === undefined ? [] : { code: line.code, severity: isNote ? 'WARNING' : 'ERROR', message };
    });
  if (issues.length > 0 || successful !== '0') return { issues };
  return { issues: [{ code: '', severity: 'ERROR', message: '亚马逊没有接受，也没有说明原因' }] };
}
