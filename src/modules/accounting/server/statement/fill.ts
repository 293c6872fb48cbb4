import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { StatementLine, StatementPart } from '../../contract/statements.ts';
import type { Subject } from '../subjects.ts';
import type { LineDef, Rule, Take } from './lines.ts';

/** What a leaf holds, as debits less credits in CNY, for both columns of a statement. */
export interface Held {
  subject: Subject;
  first: Decimal;
  second: Decimal;
}

const TAKES: Readonly<Record<Take, (net: Decimal) => Decimal>> = {
  debit: (net) => net,
  credit: (net) => net.negated(),
  'debit-side': (net) => Decimal.max(net, 0),
  'credit-side': (net) => Decimal.max(net.negated(), 0),
};

const fits = ({ prefix, word }: Rule, { code, name }: Subject) =>
  code.startsWith(prefix) && (word === undefined || name.includes(word));

/** A subject as a part of a line; undefined where it brings nothing to it. */
export function partOf(subject: Subject, first: Decimal, second: Decimal): StatementPart | undefined {
  if (first.isZero() && second.isZero()) return undefined;
  const { id, code, path } = subject;
  return { subjectId: id, code, name: path, first: round(first, 2), second: round(second, 2) };
}

/** What the rules of a line take of leaves; each leaf counts by the first rule that fits. */
export function taken({ rules }: LineDef, held: readonly Held[]): StatementPart[] {
  return held.flatMap(({ subject, first, second }) => {
    const rule = rules.find((each) => fits(each, subject));
    const of = rule && TAKES[rule.take];
    return (of && partOf(subject, of(first), of(second))) ?? [];
  });
}

/** Leaves with amounts that no line takes. */
export function unmappedOf(defs: readonly LineDef[], held: readonly Held[]): Subject[] {
  const rules = defs.flatMap((def) => def.rules);
  return held
    .filter(({ first, second }) => !(first.isZero() && second.isZero()))
    .map(({ subject }) => subject)
    .filter((subject) => !rules.some((rule) => fits(rule, subject)));
}

/** The lines of a statement with their amounts; `partsOf` says what those are made of that add up no others. */
export function filled(defs: readonly LineDef[], partsOf: (def: LineDef) => StatementPart[]): StatementLine[] {
  const byNumber = new Map(defs.flatMap((def) => (def.no === null ? [] : [[def.no, def] as const])));
  const done = new Map<number, StatementLine>();
  const summed = (no: number): StatementPart | undefined => {
    const def = byNumber.get(Math.abs(no));
    if (!def) return undefined;
    const { first, second } = lineFor(def);
    const sign = (amount: string | null) => round(new Decimal(amount ?? 0).times(no < 0 ? -1 : 1), 2);
    return { subjectId: null, code: codeOf(def), name: def.title, first: sign(first), second: sign(second) };
  };
  const lineFor = (def: LineDef): StatementLine => {
    const { no, title, indent, side } = def;
    const known = no === null ? undefined : done.get(no);
    if (known) return known;
    const total = def.sum.length > 0;
    const parts = total ? def.sum.flatMap((each) => summed(each) ?? []) : partsOf(def);
    const of = (key: 'first' | 'second') => (no === null ? null : round(sum(parts.map((part) => part[key] ?? '0')), 2));
    const made = { no: codeOf(def), title, indent, side, total, first: of('first'), second: of('second'), parts };
    if (no !== null) done.set(no, made);
    return made;
  };
  return defs.map(lineFor);
}

/** The number of a line as it is shown: none for headings and for what is no line of the standard. */
const codeOf = ({ no }: LineDef): string => (no ? String(no) : '');
