import { MOST_LABELS } from '#kit/contract/unit-layout.ts';

/** Rows "SKU pieces" of a sheet; a SKU may hold blanks. The same SKU again adds up; rows that say neither are named by number. */
export function parsed(text: string): { rows: Map<string, number>; wrong: number[] } {
  const rows = new Map<string, number>();
  const wrong: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const found = /^(.*\S)[\s,，]+(\d+)\s*$/.exec(line.trim());
    const qty = Number(found?.[2]);
    if (!found?.[1] || qty < 1 || qty > MOST_LABELS) wrong.push(index + 1);
    else rows.set(found[1], (rows.get(found[1]) ?? 0) + qty);
  }
  return { rows, wrong };
}
