import { extensionsOf } from '#kit/server/extension.ts';
import { streams } from '#modules/marketplace/server/index.ts';
import { catalogue } from '#modules/marketplace/server/sync/catalogue.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { writeConsents } from '#test/support/consents.ts';
import type { BenchWorld } from './world.ts';

/** Of the stores the largest company holds one in so many; the rest are shared out among the others. */
const LARGEST = 5;

export interface ConnectedStores {
  accounts: number;
  companies: number;
  cursors: number;
}

/** The company of each account: a big one with a fifth of all, the rest evenly among the others. */
function companyOf(index: number, companies: number): number {
  if (index % LARGEST === 0 || companies === 1) return 0;
  return 1 + (index % (companies - 1));
}

async function companiesOf(world: BenchWorld, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await world.company()).companyId);
  return ids;
}

/**
 * Streams as they stand after weeks of work: each was read some time within its last pause and is due when that pause
 * is over, so that the calls of an ordinary hour come evenly.
 */
async function writeCursors(world: BenchWorld): Promise<number> {
  const perSite = new Set(
    extensionsOf(world.runtime.modules, streams).flatMap((def) => (def.scope === 'marketplace' ? [def.code] : [])),
  );
  const entries = catalogue(world.runtime)
    .filter(({ mode }) => mode !== 'ads')
    .map(({ code, cadenceSec, priority }) => ({ code, cadenceSec, priority, perSite: perSite.has(code) }));
  const { rowCount } = await world.admin.query(
    `WITH def AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(code text, "cadenceSec" int, "perSite" boolean)),
          place AS (SELECT company_id, id AS account_id, '' AS site, false AS per FROM marketplace.seller_account
                    UNION ALL
                    SELECT company_id, account_id, marketplace_id, true FROM marketplace.seller_marketplace),
          cursor AS (SELECT company_id, account_id, code, site, "cadenceSec",
                            clock_timestamp() - make_interval(secs => random() * "cadenceSec") AS at
                       FROM place JOIN def ON def."perSite" = place.per)
     INSERT INTO marketplace.sync_cursor
       (company_id, account_id, stream, marketplace_id, watermark, first_from, last_success_at, not_before)
     SELECT company_id, account_id, code, site, at, at - interval '30 days', at, at + make_interval(secs => "cadenceSec")
       FROM cursor`,
    [JSON.stringify(entries)],
  );
  await world.admin.query(
    `SELECT kit.add_job('marketplace.sync', json_build_object('companyId', company_id, 'cursorId', id), NULL, not_before,
                        'sync:' || id, (def.priority)::int, 12, 'replace')
       FROM marketplace.sync_cursor JOIN jsonb_to_recordset($1::jsonb) AS def(code text, priority int) ON def.code = stream`,
    [JSON.stringify(entries)],
  );
  return rowCount ?? 0;
}

/** Connects `count` accounts of the sandbox to `companies` companies, their streams in the middle of ordinary work. */
export async function connectStores(
  world: BenchWorld,
  sandbox: Sandbox,
  count: number,
  companies: number,
): Promise<ConnectedStores> {
  const ids = await companiesOf(world, companies);
  const consents = sandbox.business.accounts
    .slice(0, count)
    .map((account, index) => ({ ...account, companyId: ids[companyOf(index, ids.length)] ?? '' }));
  await writeConsents(world.admin, world.runtime.secrets, sandbox, consents);
  return { accounts: consents.length, companies: ids.length, cursors: await writeCursors(world) };
}
