import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { refusalOf } from '../../ledger/refusal.ts';
import { noteValue } from './events.ts';
import type { StockDocument } from './load.ts';

/**
 * Adds value to the layers that a posting made in this same transaction. `values[].n` is the number of the move, from 1;
 * `a` is CNY with up to four decimals. The ledger's function shares it among the layers and writes the entries.
 */
export function addValue(
  ctx: Ctx,
  doc: StockDocument,
  posting: string,
  component: string,
  values: readonly { n: number; a: string }[],
): Promise<void> {
  return unscoped(ctx, () =>
    noteValue(ctx, doc, async (source) => {
      const event = {
        ...source,
        posting,
        component,
        values,
        operatorId: ctx.userId,
        operator: ctx.userName,
        note: '费用分摊',
      };
      try {
        const { rows } = await ctx.client.query<{ answer: { id: string } }>(
          'SELECT warehouse.add_value($1) AS answer',
          [JSON.stringify(event)],
        );
        return rows[0]?.answer.id ?? null;
      } catch (error) {
        throw refusalOf(error);
      }
    }),
  );
}
