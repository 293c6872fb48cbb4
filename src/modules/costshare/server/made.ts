import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { CostInput, CostState } from '../contract/document.ts';
import { step } from './act.ts';
import { locked } from './load.ts';
import { type CostSource, make } from './save.ts';

/** A cost that a document of another module made; its amount is decimal text in CNY where it is posted, else null. */
export interface MadeCost {
  id: string;
  number: string;
  state: CostState;
  feeType: string;
  from: string;
  to: string;
  amount: string;
  currency: string;
}

/** The costs that a document made, in the order of their first days. */
export async function costsOf(ctx: Ctx, sourceId: string): Promise<MadeCost[]> {
  const rows = await ctx.db
    .selectFrom('costshare.document')
    .select([
      'id',
      'number',
      'state',
      'fee_type as feeType',
      'date_from as from',
      'date_to as to',
      'amount',
      'currency',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('source_id', '=', sourceId)
    .orderBy('date_from')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, state: row.state as CostState }));
}

/**
 * Makes posted costs for a document of another module, for the whole company and whatever the caller may here: its own rules
 * said that they are due. @throws B0930 rate, B2301 to B2304 what does not fit together
 */
export function postCosts(ctx: Ctx, source: CostSource, costs: readonly CostInput[]): Promise<void> {
  const anyone: Ctx = { ...ctx, permissions: undefined, dataScope: undefined };
  return unscoped(ctx, async () => {
    for (const cost of costs) await step(anyone, await make(anyone, cost, source), 'post', {});
  });
}

/** Takes all costs of a document back: each gets its mirror. @param reason said in their timelines */
export function takeBackCosts(ctx: Ctx, sourceId: string, reason: string): Promise<void> {
  const anyone: Ctx = { ...ctx, permissions: undefined, dataScope: undefined };
  return unscoped(ctx, async () => {
    for (const { id, state } of await costsOf(anyone, sourceId)) {
      if (state === 'posted') await step(anyone, await locked(anyone, id), 'void', { reason });
    }
  });
}
