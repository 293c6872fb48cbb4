import { Purpose } from '../contract/fields.ts';

const TITLES = Purpose.meta()?.states ?? {};

/** Chinese name of what an entry was for. */
export function purposeTitle(purpose: string): string {
  return TITLES[purpose]?.title ?? purpose;
}
