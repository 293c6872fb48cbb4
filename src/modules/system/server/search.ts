import { type Ctx, scopedTo } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { type AnyRoute, type OpenCtx, serveOpen } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type SearchGroup, type SearchHit, searchAll } from '../contract/search.ts';

/** What a module lets the search of the frame find. */
export interface SearchProvider {
  /** Heading of the group, e.g. 订单. */
  title: string;
  icon: SearchGroup['icon'];
  /** Whoever does not hold it is not asked for; its data scope bounds what is found. */
  permission: string;
  /**
   * The best hits for a text of 2 to 80 characters, best first, at most `limit`. It runs while somebody types: every
   * look must go by an index.
   */
  search(ctx: Ctx, text: string, limit: number): Promise<SearchHit[]>;
}

/** What the search of the frame looks through, beside the screens of the menu. */
export const searchProviders = extensionPoint<SearchProvider>('system.searchProviders');

const LIMIT = 5;
/** A group that takes longer is given up, so that the others do not wait for it. */
const TIMEOUT_MS = 3_000;

async function groupOf(ctx: OpenCtx, provider: SearchProvider, text: string): Promise<SearchGroup> {
  const { title, icon, permission } = provider;
  const options = { readOnly: true, requestId: ctx.requestId, ip: ctx.ip, timeoutMs: TIMEOUT_MS };
  try {
    const found = await inTenant(
      ctx.runtime,
      scopedTo(ctx.principal, permission),
      (tenant) => provider.search(tenant, text, LIMIT + 1),
      options,
    );
    return { title, icon, hits: found.slice(0, LIMIT), more: found.length > LIMIT, failed: false };
  } catch (error) {
    ctx.runtime.log.error({ err: error, provider: title }, 'search failed');
    return { title, icon, hits: [], more: false, failed: true };
  }
}

/** Asks one provider after the other: a search may not take more than one connection. */
async function search(ctx: OpenCtx, text: string): Promise<SearchGroup[]> {
  const { permissions } = ctx.principal;
  const providers = extensionsOf(ctx.runtime.modules, searchProviders).filter(
    ({ permission }) => permissions === undefined || permissions.has(permission),
  );
  const groups: SearchGroup[] = [];
  for (const provider of providers) groups.push(await groupOf(ctx, provider, text));
  return groups.filter((group) => group.hits.length > 0 || group.failed);
}

export const searchRoutes: AnyRoute[] = [serveOpen(searchAll, (ctx, { query }) => search(ctx, query.q))];
