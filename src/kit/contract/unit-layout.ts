import type { z } from 'zod';
import { Choice } from './field.ts';

/** Papers for labels of single pieces: sheets as offices buy them, by how many labels are on one, and rolls. */
export const UnitLayout = Choice(
  {
    GRID_24: 'A4 · 24 张（63.5×33.9 mm）',
    GRID_21: 'A4 · 21 张（63.5×38.1 mm）',
    GRID_27: 'A4 · 27 张（63.5×29.6 mm）',
    GRID_30: 'A4 · 30 张（70×29.7 mm）',
    GRID_40: 'A4 · 40 张（52.5×29.7 mm）',
    GRID_44: 'A4 · 44 张（48.5×25.4 mm）',
    LETTER_30: 'Letter · 30 张（66.7×25.4 mm）',
    ROLL_60X40: '标签机 60×40 mm',
    ROLL_60X30: '标签机 60×30 mm',
    ROLL_57X32: '标签机 57×32 mm',
    ROLL_50X30: '标签机 50×30 mm',
  },
  '标签纸',
);
export type UnitLayout = z.infer<typeof UnitLayout>;

/** More labels than that are several rolls. */
export const MOST_LABELS = 10_000;

/** Places of a sheet; 0 for a roll. */
export function placesOf(layout: UnitLayout): number {
  const [, count = '0'] = /^(?:GRID|LETTER)_(\d+)$/.exec(layout) ?? [];
  return Number(count);
}
