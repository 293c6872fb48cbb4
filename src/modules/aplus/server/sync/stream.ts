import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { Fetched, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { type Listed, listDocuments, readAsins, readDocument } from '../api.ts';
import { type Fact, type Known, knownDocuments, landShelf } from './land.ts';

/** Where a document is published is read again after so long, though nothing else of it changed. */
const ASINS_EVERY_MS = 24 * 3_600_000;

/** What is worth reading of a document beyond the list: everything that changed, and where an approved one is not shown yet. */
function wanted({ metadata }: Listed, known: Known | undefined, now: number): { content: boolean; asins: boolean } {
  const isSame = Date.parse(known?.updatedAt ?? '') === Date.parse(metadata.updateTime);
  if (!known || !isSame || known.status !== metadata.status) {
    return { content: true, asins: true };
  }
  const isStale = known.asinsAt === null || now - Date.parse(known.asinsAt) > ASINS_EVERY_MS;
  return { content: false, asins: isStale || (metadata.status === 'APPROVED' && known.state !== 'PUBLISHED') };
}

async function fetchAplus({ runtime, account, marketplaceId = '', window, api }: StreamRun): Promise<Fetched> {
  const place = { api, marketplaceId };
  const shelf = { accountId: account.id, marketplaceId, asOf: window.to };
  const known = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) => knownDocuments(ctx, shelf), {
    readOnly: true,
  });
  const byKey = new Map(known.map((one) => [one.key, one]));
  const listed = await listDocuments(place);
  const facts: Fact[] = [];
  for (const one of listed) {
    const { content, asins } = wanted(one, byKey.get(one.key), Date.parse(window.to));
    const read = content ? await readDocument(place, one.key) : undefined;
    // One that went while we read is missing in the next list.
    if (content && !read) continue;
    facts.push({
      ...one,
      ...(read ? { read, metadata: read.metadata } : {}),
      ...(asins ? { asins: await readAsins(place, one.key) } : {}),
    });
  }
  const keys = listed.map(({ key }) => key);
  return { land: (ctx) => landShelf(ctx, shelf, keys, facts) };
}

/** A+ documents of a site: the list with every run, content and ASINs of those that changed. */
export const aplusStream: StreamDef = {
  code: 'aplus',
  title: 'A+内容',
  scope: 'marketplace',
  cadenceSec: 1800,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: 366 * 86_400,
  historySec: 0,
  priority: 75,
  sloMin: 12 * 60,
  fetch: fetchAplus,
};
