import type { Reply } from '#kit/contract/endpoint.ts';
import { scopedTo } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { todoSources } from '#modules/system/server/index.ts';
import type { todo } from '../contract/cards.ts';

/** A source that takes longer is given up, so that the others do not wait for it. */
const TIMEOUT_MS = 3_000;

/**
 * What waits for somebody, of the sources whose permission the caller holds, each within its own data scope; kinds of
 * which there are none are left out. One source after the other: a card may not take more than one connection.
 */
export async function todoOf(ctx: OpenCtx): Promise<Reply<typeof todo>> {
  const { permissions } = ctx.principal;
  const items: Reply<typeof todo>['items'] = [];
  const failed: string[] = [];
  const options = { readOnly: true, requestId: ctx.requestId, ip: ctx.ip, timeoutMs: TIMEOUT_MS };
  for (const source of extensionsOf(ctx.runtime.modules, todoSources)) {
    if (permissions !== undefined && !permissions.has(source.permission)) continue;
    try {
      const principal = scopedTo(ctx.principal, source.permission);
      const found = await inTenant(ctx.runtime, principal, (tenant) => source.todos(tenant), options);
      items.push(...found.filter(({ count }) => count > 0).map((one) => ({ ...one, urgent: one.urgent ?? false })));
    } catch (error) {
      ctx.runtime.log.error({ err: error, source: source.title }, 'todos could not be counted');
      failed.push(source.title);
    }
  }
  return { items: [...items.filter(({ urgent }) => urgent), ...items.filter(({ urgent }) => !urgent)], failed };
}
