import { sql } from 'kysely';
import type { Region } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import type { Person, World } from './world.ts';

/** What is compared: plain numbers and money to the cent, sorted, so that a difference reads as a sentence. */
export interface Figures {
  settlements: Record<string, { total: string; lines: number }>;
}

function cents(amount: string): string {
  return Number(amount) === 0 ? '0.00' : amount.replace(/(\.\d\d)0*$/, '$1');
}

/** The product's books, straight from its tables. */
export async function productFigures(world: World, person: Person, accountId: string): Promise<Figures> {
  return world.as(person, async (ctx) => {
    const settlements = await sql<{ settlement_id: string; total: string; lines: number }>`
      SELECT settlement_id, total_amount::numeric(18,2)::text AS total, line_count AS lines
        FROM settlement.settlement
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND superseded_at IS NULL
       ORDER BY settlement_id`.execute(ctx.db);
    return {
      settlements: Object.fromEntries(
        settlements.rows.map((row) => [row.settlement_id, { total: row.total, lines: row.lines }]),
      ),
    };
  });
}

/** The marketplace's own books, which the product never reads. */
export function truthFigures(sandbox: Sandbox, sellingPartnerId: string, region: Region): Figures {
  const now = sandbox.clock.now();
  const account = sandbox.business.accounts.find((a) => a.sellingPartnerId === sellingPartnerId && a.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  const settlements = [...sandbox.business.settlements(account, now)].sort((a, b) =>
    a.settlementId < b.settlementId ? -1 : 1,
  );
  return {
    settlements: Object.fromEntries(
      settlements.map((s) => [s.settlementId, { total: cents(s.total), lines: s.lines.length }]),
    ),
  };
}
