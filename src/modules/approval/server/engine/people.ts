import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import type { Setting } from '../../contract/config.ts';
import type { Definition } from '../../contract/flow.ts';
import { type Case, type Delegation, type World, worldIn } from '../core/people.ts';

async function delegations(ctx: Ctx): Promise<Delegation[]> {
  const { rows } = await sql<Delegation>`
    SELECT from_id AS "from", to_id AS "to", doc_types AS types, amount_max AS max FROM approval.delegation
     WHERE company_id = ${ctx.companyId} AND revoked_at IS NULL AND starts_at <= kit.now() AND ends_at > kit.now()
     ORDER BY id DESC`.execute(ctx.db);
  return rows;
}

/** What the interpreter asks of the company, read once for an act. */
export async function worldOf(ctx: Ctx, definition: Definition, setting: Setting, of: Case): Promise<World> {
  return worldIn({ chart: await chartOf(ctx), delegations: await delegations(ctx) }, definition, setting, of);
}
