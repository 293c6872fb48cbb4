import type { BindLine } from '../contract/bindings.ts';

const NUMBER = /^\d{1,9}(\.\d{1,4})?$/;

/**
 * Rows "SKU lowest highest [other cost]" of a sheet, parted by tabs, commas or blanks; a SKU may hold blanks. Of a SKU that
 * comes twice the last row counts; rows that say something else are named by number.
 */
export function parsed(text: string): { lines: BindLine[]; wrong: number[] } {
  const lines = new Map<string, BindLine>();
  const wrong: number[] = [];
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const parts = row
      .trim()
      .split(/[\t,，]|\s+(?=\d+(?:\.\d+)?(?:\s|$))/)
      .map((part) => part.trim());
    if (row.trim() === '') continue;
    const [sku = '', minPrice = '', maxPrice = '', otherCost] = parts;
    const fits = sku !== '' && NUMBER.test(minPrice) && NUMBER.test(maxPrice) && parts.length <= 4;
    if (!fits || (otherCost !== undefined && otherCost !== '' && !NUMBER.test(otherCost))) wrong.push(index + 1);
    else lines.set(sku, { sku, minPrice, maxPrice, ...(otherCost ? { otherCost } : {}) });
  }
  return { lines: [...lines.values()], wrong };
}
