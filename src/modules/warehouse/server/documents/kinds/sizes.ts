import type { Ctx } from '#kit/server/context.ts';
import type { Size } from './fees.ts';

/** Packed weight and volume by product. The face of the products tells no sizes yet, so none is known. */
export async function sizesOf(_ctx: Ctx, _ids: readonly string[]): Promise<Map<string, Size>> {
  return new Map();
}
