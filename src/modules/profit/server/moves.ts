import { extend } from '#kit/server/extension.ts';
import { rowMoves } from '#modules/identity/server/index.ts';

/** A company has one table of exchange rates: that of the company which takes the other one in. */
export const profitMoves = [extend(rowMoves, { table: 'profit.fx_rate', clash: 'target' })];
