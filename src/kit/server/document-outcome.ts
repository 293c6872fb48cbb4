import type { Outcome } from '#kit/contract/document-calls.ts';
import { conflict } from './errors.ts';

/** What a command answers that was carried out before: it changes nothing and is no fault of the caller. */
export const DONE_BEFORE = '该操作已完成，无需重复提交';

/** What a command came to, as the document is now. */
export function outcome(
  { id, number, state, version }: Pick<Outcome, 'id' | 'number' | 'state' | 'version'>,
  message: string,
  repeated = false,
): Outcome {
  return { id, number, state, version, repeated, message };
}

/** What is compared with the version that the caller saw, and who wrote it last. */
interface Written {
  version: number;
  updatedByName?: string;
  createdByName?: string;
}

/** @throws conflict that names who changed the document since the caller saw it */
export function requireFresh(doc: Written, version: number | undefined): void {
  if (version === undefined || version === doc.version) return;
  throw conflict(`单据已被 ${doc.updatedByName || doc.createdByName || '他人'} 修改，请刷新后重试`);
}
