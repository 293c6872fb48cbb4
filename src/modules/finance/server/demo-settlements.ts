import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { SettlementForm } from '../contract/settlements.ts';
import { statementOf } from './payables/dealings.ts';
import { add, confirm } from './settlements/act.ts';

/** What each supplier's own statement says beyond ours, and why; null: nobody has confirmed it yet. */
const STATED = [{ more: '0', reason: '' }, { more: '320.00', reason: '对方漏扣破损 8 件，下期冲减' }, null] as const;

/**
 * Settlements of this month with the suppliers of the demo company: one agrees with our books, one differs with a reason,
 * one is being compared. The caller may do everything.
 */
export async function demoSettlements(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT i.party_id AS id FROM finance.open_item AS i
     WHERE i.company_id = ${ctx.companyId} AND i.book = 'PAYABLE' AND i.party_kind = 'SUPPLIER' AND i.currency = 'CNY'
     ORDER BY 1 LIMIT ${STATED.length}`.execute(ctx.db);
  const to = ctx.clock.today();
  const period = { currency: 'CNY', from: `${to.slice(0, 7)}-01`, to };
  for (const [index, { id: supplierId }] of rows.entries()) {
    const { id } = await add(ctx, SettlementForm.parse({ supplierId, ...period, remark: '' }));
    const stated = STATED[index];
    if (!stated) continue;
    const { closing } = await statementOf(ctx, { partyId: supplierId, ...period });
    // We owe where our closing is below zero; the supplier states what we owe him.
    await confirm(ctx, {
      id,
      stated: new Decimal(closing).neg().plus(stated.more).toFixed(2),
      reason: stated.reason,
    });
  }
}
