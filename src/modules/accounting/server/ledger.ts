import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { trialBalance } from '../contract/ledger.ts';
import { allSubjects } from './subjects.ts';
import { leavesOf } from './sums.ts';
import { type Amounts, NOTHING, rolledUp, rowOf, totalsOf } from './trial.ts';

type Asked = z.output<typeof trialBalance.body>;

/** @throws refused B2714 where the months are in the wrong order */
export function requireMonths({ from, to }: { from: string; to: string }): void {
  if (from > to) throw refused('截止月份不能早于起始月份', 'B2714');
}

/** 科目余额表. @throws refused B2714 for months in the wrong order, conflict where there are no books */
export async function trialOf(ctx: Ctx, asked: Asked): Promise<z.output<typeof trialBalance.reply>> {
  requireMonths(asked);
  const leaves = await leavesOf(ctx, asked.from, asked.to);
  const subjects = await allSubjects(ctx);
  const sums = rolledUp(subjects, leaves);
  const rows = subjects.map((subject) => rowOf(subject, sums.get(subject.code) ?? NOTHING));
  const moves = (amounts: Amounts) => Object.values(amounts).some((amount) => !new Decimal(amount).isZero());
  const shown = subjects.map(({ code }) => !asked.moved || moves(sums.get(code) ?? NOTHING));
  return {
    rows: rows.filter((row, at) => row.level <= asked.level && shown[at]),
    totals: totalsOf(rows.filter(({ level }) => level === 1)),
  };
}
