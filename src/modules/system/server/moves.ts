import { extend } from '#kit/server/extension.ts';
import { type KeptRows, keptRows, type RowMove, rowMoves } from '#modules/identity/server/index.ts';

/** What becomes of a company's settings when it moves into another one: the other one's hold. */
const moves: readonly RowMove[] = [
  // Seals bind the log of the company that they were made for.
  { table: 'system.audit_seal', how: 'stay' },
  { table: 'system.audit_check', how: 'stay' },
  { table: 'system.dict', clash: 'target' },
  { table: 'system.dict_item', clash: 'target' },
  { table: 'system.holiday', clash: 'target' },
  { table: 'system.platform', clash: 'target' },
  // The target has schedules of its own for the same work.
  { table: 'system.schedule_run', how: 'drop' },
  { table: 'system.schedule', how: 'drop' },
];

/** What of an erased company's log is ours: the log itself is worth nothing without it. */
const kept: readonly KeptRows[] = [
  { table: 'system.audit_seal', why: 'seals over the operation log, which stays' },
  { table: 'system.audit_check', why: 'results of checking those seals' },
];

export const systemMoves = [
  ...moves.map((move) => extend(rowMoves, move)),
  ...kept.map((rows) => extend(keptRows, rows)),
];
