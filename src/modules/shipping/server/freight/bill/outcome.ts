import type { Outcome } from '#kit/contract/document-calls.ts';
import { conflict } from '#kit/server/errors.ts';
import type { FreightBill } from './load.ts';

/** What a command came to. */
export function outcome(
  bill: Pick<FreightBill, 'id' | 'number' | 'state' | 'version'>,
  message: string,
  repeated = false,
): Outcome {
  return { id: bill.id, number: bill.number, state: bill.state, version: bill.version, repeated, message };
}

/** @throws conflict where somebody changed the bill since the caller saw it */
export function requireFresh(
  bill: Pick<FreightBill, 'version' | 'updatedByName' | 'createdByName'>,
  version?: number,
): void {
  if (version !== undefined && version !== bill.version) {
    throw conflict(`单据已被 ${bill.updatedByName || bill.createdByName} 修改，请刷新后重试`);
  }
}
