import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';

/** What the lists of the ledger call a kind of document and its events, and where its page is. */
export interface StockSource {
  /** As in the source of its postings, e.g. 'warehouse.inbound'. */
  type: string;
  /** e.g. 入库单 */
  title: string;
  /** Chinese name by event, e.g. { receive: '收货' }; a reversal is named after what it takes back. */
  events: Readonly<Record<string, string>>;
  path?: ((id: string) => string) | undefined;
}

/** Modules that post stock name their documents here. */
export const stockSources = extensionPoint<StockSource>('warehouse.stockSources');

const tables = new WeakMap<Runtime, Map<string, StockSource>>();

function tableOf(runtime: Runtime): Map<string, StockSource> {
  const known = tables.get(runtime);
  if (known) return known;
  const table = new Map(extensionsOf(runtime.modules, stockSources).map((source) => [source.type, source]));
  tables.set(runtime, table);
  return table;
}

const REVERSED = '.reverse';

/** Name of an event, e.g. 「入库单·收货」 or 「入库单·撤销收货」, and the path of the document. */
export function postingWords(
  ctx: Pick<Ctx, 'runtime'>,
  posting: { source_type: string; source_id: string; source_event: string },
): { action: string; path: string | null } {
  const source = tableOf(ctx.runtime).get(posting.source_type);
  const back = posting.source_event.endsWith(REVERSED);
  const event = back ? posting.source_event.slice(0, -REVERSED.length) : posting.source_event;
  // What an event did to several days has the day behind its name.
  const name = source?.events[event] ?? source?.events[event.split('.')[0] ?? ''] ?? event;
  return {
    action: `${source ? `${source.title}·` : ''}${back ? '撤销' : ''}${name}`,
    path: source?.path?.(posting.source_id) ?? null,
  };
}
