import { Purpose } from '../contract/fields.ts';

const TITLES = Purpose.meta()?.states ?? {};

/** Chinese name of what an entry was for. */
export function purposeTitle(purpose: string): string {
  return TITLES[purpose]?.title ?? purpose;
}

/** SQL pattern for texts that contain these words. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
