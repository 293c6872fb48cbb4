import { Decimal } from '#kit/contract/decimal.ts';
import type { ApprovalValue } from '#kit/server/approval.ts';
import type { Comparison, Condition } from '../../contract/condition.ts';

export type Vars = Readonly<Record<string, ApprovalValue>>;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

function listOf(value: ApprovalValue | undefined): string[] {
  if (value === null || value === undefined) return [];
  return isList(value) ? [...value] : [String(value)];
}

function numberOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return new Decimal(value);
  } catch {
    return undefined;
  }
}

function equal(left: ApprovalValue | undefined, right: Comparison['value']): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a && b) return a.eq(b);
  return listOf(left).join() === (isList(right) ? right.join() : String(right));
}

/** A comparison of sizes; a value that is not there is neither greater nor less. */
function sized(left: ApprovalValue | undefined, right: Comparison['value'], test: (sign: number) => boolean): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  return a !== undefined && b !== undefined && test(a.comparedTo(b));
}

function compares({ field, op, value }: Comparison, vars: Vars): boolean {
  const own = vars[field];
  const wanted = isList(value) ? value : [String(value)];
  switch (op) {
    case 'eq':
      return equal(own, value);
    case 'ne':
      return !equal(own, value);
    case 'gt':
      return sized(own, value, (sign) => sign > 0);
    case 'gte':
      return sized(own, value, (sign) => sign >= 0);
    case 'lt':
      return sized(own, value, (sign) => sign < 0);
    case 'lte':
      return sized(own, value, (sign) => sign <= 0);
    case 'in':
      return listOf(own).some((one) => wanted.includes(one));
    case 'notIn':
      return !listOf(own).some((one) => wanted.includes(one));
    case 'contains':
      return listOf(own).some((one) => one.includes(String(value)));
    case 'isEmpty':
      return listOf(own).join('') === '';
  }
}

/** Whether a condition holds for the frozen fields of a document. */
export function holds(condition: Condition, vars: Vars): boolean {
  if (condition.rules.length === 0) return true;
  return condition.join === 'all'
    ? condition.rules.every((rule) => compares(rule, vars))
    : condition.rules.some((rule) => compares(rule, vars));
}
