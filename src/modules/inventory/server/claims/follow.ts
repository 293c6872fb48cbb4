import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { fbaClaim } from '../../contract/claims.ts';

type Step = keyof typeof fbaClaim.transitions;

/** All that its type needs is known: what a piece is worth, its label, and what the report calls the happening. */
export const COMPLETE = sql<boolean>`(c.fnsku <> '' AND c.reference <> '' AND c.unit_value IS NOT NULL)`;

/** Steps that follow from the reports and the calendar, in the order in which they are looked at. */
const STEPS: readonly [Step, RawBuilder<unknown>][] = [
  ['pay', sql`c.qty = 0 AND c.paid > 0`],
  ['reverse', sql`c.qty > 0`],
  ['turnUp', sql`c.qty = 0`],
  ['reopen', sql`c.qty > 0`],
  ['open', sql`c.opens_on <= kit.day(kit.now())`],
  ['complete', COMPLETE],
  ['expire', sql`c.deadline < kit.day(kit.now())`],
];

/** Takes one step of all claims of an account that it is time for, with an entry in the timeline of each. */
async function take(ctx: Ctx, accountId: string, name: Step, when: RawBuilder<unknown>): Promise<void> {
  const { title, from, to } = fbaClaim.transitions[name];
  await sql`
    WITH due AS (
      SELECT c.id, c.state, c.qty, c.paid, c.found FROM inventory.claim AS c
       WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${accountId} AND c.state = ANY (${[...from]}::text[]) AND ${when}
         FOR UPDATE),
    moved AS (
      UPDATE inventory.claim AS c SET state = ${to}, version = c.version + 1, updated_at = kit.now(),
             updated_by_name = ${ctx.userName}
        FROM due WHERE c.company_id = ${ctx.companyId} AND c.id = due.id)
    INSERT INTO kit.timeline (company_id, document_type, document_id, kind, actor_id, actor_name, from_state, to_state, title, body)
    SELECT ${ctx.companyId}, ${fbaClaim.name}, id, 'transition', ${ctx.userId}::uuid, ${ctx.userName}, state, ${to}, ${title},
           '可索赔 ' || qty || ' 件，已找回 ' || found || ' 件，已赔 ' || paid || ' 件'
      FROM due ORDER BY id`.execute(ctx.db);
}

/** Brings the states of an account's claims in line with what is open of them and with the calendar. */
export async function followReports(ctx: Ctx, accountId: string): Promise<void> {
  for (const [name, when] of STEPS) await take(ctx, accountId, name, when);
}
