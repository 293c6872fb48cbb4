import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import type { readMonthEnd } from '../contract/closing.ts';

/** How the ledgers that the caller may see stand in a month "yyyy-MM", in the order in which they are closed. */
export async function monthEnd(ctx: Ctx, month: string): Promise<Reply<typeof readMonthEnd>> {
  const ledgers = extensionsOf(ctx.runtime.modules, monthEndLedgers)
    .filter(({ permission }) => can(ctx, permission))
    .toSorted((a, b) => a.sort - b.sort);
  const found: Reply<typeof readMonthEnd> = [];
  // One after another: they share a connection.
  for (const { title, screen, read } of ledgers) found.push({ title, screen, ...(await read(ctx, month)) });
  return found;
}
