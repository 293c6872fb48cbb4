import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { PLATFORM } from '#modules/system/contract/shared.ts';
import type { PlatformUser } from '#modules/system/server/index.ts';

async function authorised(db: Db, companyId: string | undefined): Promise<number> {
  let query = db
    .selectFrom('marketplace.seller_account')
    .select(sql<number>`count(DISTINCT (company_id, store_id))`.as('n'))
    .where('status', 'in', ['active', 'expiring']);
  if (companyId) query = query.where('company_id', '=', companyId);
  const { n } = await query.executeTakeFirstOrThrow();
  return n;
}

/** Stores with a seller account that is authorised: those of the company, or, for the operator, of all companies. */
export const amazonPlatform: PlatformUser = {
  code: 'amazon',
  stores: (ctx: Ctx) =>
    ctx.companyId === PLATFORM
      ? inSystem(ctx.runtime, (db) => authorised(db, undefined), { readOnly: true })
      : authorised(ctx.db, ctx.companyId),
};
