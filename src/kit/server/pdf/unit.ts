import type { UnitLayout } from '../../contract/unit-layout.ts';
import { barLength } from './codes.ts';
import { GRID_21, GRID_24, GRID_27, GRID_30, GRID_40, GRID_44, gridPdf, type LabelGrid, LETTER_30 } from './grid.ts';
import { type Label, type LabelPaper, labelsPdf, THINNEST_MM } from './label.ts';

const roll = (width: number, height: number): LabelPaper => ({ width, height, code: 'code128' });

const GRIDS: Partial<Record<UnitLayout, LabelGrid>> = {
  GRID_21,
  GRID_24,
  GRID_27,
  GRID_30,
  GRID_40,
  GRID_44,
  LETTER_30,
};
const ROLLS: Partial<Record<UnitLayout, LabelPaper>> = {
  ROLL_60X40: roll(60, 40),
  ROLL_60X30: roll(60, 30),
  ROLL_57X32: roll(57, 32),
  ROLL_50X30: roll(50, 30),
};

/** Width in mm of one label of a paper. */
const widthOf = (layout: UnitLayout): number => GRIDS[layout]?.label[0] ?? ROLLS[layout]?.width ?? 0;

/** Millimetres that a label must have at least for a code's bars to be told apart; undefined where the paper has them. */
export function tooNarrow(code: string, layout: UnitLayout): number | undefined {
  const least = barLength(code, THINNEST_MM);
  return least > widthOf(layout) ? Math.ceil(least) : undefined;
}

/** Labels of single pieces on a paper; `used` places of the first sheet stay empty, of a roll none. */
export function unitLabelsPdf(labels: readonly Label[], layout: UnitLayout, used: number): Buffer {
  const grid = GRIDS[layout];
  return grid ? gridPdf(labels, grid, used) : labelsPdf(labels, ROLLS[layout]);
}

/**
 * The label of a piece by its FNSKU: Code 128, the number, the title as far as it fits, and its condition as Amazon asks for it.
 */
export function fnskuLabel(fnsku: string, title: string, condition = 'New'): Label {
  return { content: fnsku, title: fnsku, lines: [title, condition] };
}
