import { extend } from '#kit/server/extension.ts';
import { rowMoves } from '#modules/identity/server/index.ts';

/** When a company moves into another one: its inboxes are counted anew as they arrive. */
export const messageMoves = [
  extend(rowMoves, { table: 'message.counter', how: 'drop' }),
  extend(rowMoves, { table: 'message.message', clash: { rename: 'dedupe_key' } }),
];
