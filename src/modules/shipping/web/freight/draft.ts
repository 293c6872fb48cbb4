import { Decimal } from '#kit/contract/decimal.ts';
import type { FreightLineInput } from '../../contract/freight/bill.ts';
import { FreightKind } from '../../contract/freight/fields.ts';

/** A line while it is written. */
export type Draft = Omit<FreightLineInput, 'amount'> & { amount: string | null };

export const newDraft = (): Draft => ({ reference: '', kind: 'FREIGHT', amount: null, billedWeight: null, remark: '' });

export const KINDS = Object.entries(FreightKind.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as FreightKind,
  label: title,
}));

const isAmount = (text: string | null): text is string => text !== null && /^\d{1,10}(\.\d{1,2})?$/.test(text);

/** Why the lines cannot be sent as they are; undefined where they can. */
export function obstacle(lines: readonly Draft[]): string | undefined {
  if (lines.length === 0) return '至少添加一行数据';
  for (const [index, { reference, amount }] of lines.entries()) {
    if (reference.trim() === '') return `第 ${index + 1} 行请填写单号`;
    if (!isAmount(amount) || new Decimal(amount).isZero()) return `第 ${index + 1} 行请填写金额，最多2位小数`;
  }
  return undefined;
}

/** Lines as the call takes them. */
export const sent = (lines: readonly Draft[]): FreightLineInput[] =>
  lines.map((line) => ({ ...line, amount: line.amount ?? '0' }));

/** What the lines come to, as far as they are written. */
export const totalOf = (lines: readonly Draft[]): string =>
  lines.reduce((sum, { amount }) => (isAmount(amount) ? sum.plus(amount) : sum), new Decimal(0)).toFixed(2);

/**
 * Rows of 「单号 金额」 or 「单号 费用类型 金额 计费重」 as they are pasted from a sheet; what is not one is told by its row.
 */
export function parsed(text: string): { lines: Draft[]; wrong: number[] } {
  const lines: Draft[] = [];
  const wrong: number[] = [];
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue;
    const [reference = '', ...rest] = row
      .trim()
      .split(/[\s，;；]+/)
      .filter(Boolean);
    const kind = KINDS.find(({ label }) => label === rest[0])?.value;
    const [amount = '', weight] = (kind ? rest.slice(1) : rest).map((cell) => cell.replace(/^[¥￥]|,(?=\d{3})/g, ''));
    const rightWeight = weight === undefined || /^\d{1,8}(\.\d{1,3})?$/.test(weight);
    if (isAmount(amount) && !new Decimal(amount).isZero() && rightWeight) {
      lines.push({ ...newDraft(), reference, kind: kind ?? 'FREIGHT', amount, billedWeight: weight ?? null });
    } else wrong.push(index + 1);
  }
  return { lines, wrong };
}
