import { extend } from '#kit/server/extension.ts';
import { rowMoves } from '#modules/identity/server/index.ts';

/** When a company moves into another one: nothing of a seller that both have moves, and nobody's consent half given. */
export const marketplaceMoves = [
  extend(rowMoves, { table: 'marketplace.seller_account', title: '卖家账号' }),
  extend(rowMoves, { table: 'marketplace.store', title: '店铺', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'marketplace.oauth_state', how: 'drop' }),
  // Said of rows that have moved: they are read once more.
  extend(rowMoves, { table: 'marketplace.taken_file', how: 'drop' }),
  extend(rowMoves, { table: 'marketplace.column_mapping', clash: 'target' }),
];
