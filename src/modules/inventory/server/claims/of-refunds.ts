import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ClaimState } from '../../contract/claims.ts';

/** A claim about a refund whose goods did not come back. */
export interface RefundClaim {
  id: string;
  number: string;
  state: ClaimState;
}

/** SELECT of the claim about what was refunded of a row's order and SKU: a row at most, by the alias of the outer row. */
export function refundClaimSelect(ctx: Pick<Ctx, 'companyId'>, alias: string): RawBuilder<RefundClaim> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<RefundClaim>`
    SELECT c.id, c.number, c.state FROM inventory.claim AS c
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${of('account_id')} AND c.type = 'CUSTOMER_REFUND_NO_RETURN'
       AND c.happening = ${of('order_id')} || '|' || ${of('seller_sku')}`;
}
