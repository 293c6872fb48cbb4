import type { Ctx } from '#kit/server/context.ts';
import { saveTemplateOf } from './templates.ts';

const CARTONS = [
  { name: '五层 40×30×30', length: '40', width: '30', height: '30', tare: '0.6', maxWeight: '15' },
  { name: '五层 55×40×38', length: '55', width: '40', height: '38', tare: '1.1', maxWeight: '22' },
];

/** Cartons that the demo company packs into. */
export async function demoTemplates(ctx: Ctx): Promise<void> {
  for (const carton of CARTONS) await saveTemplateOf(ctx, carton);
}
