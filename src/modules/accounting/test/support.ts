import type { Person } from '#test/support/world.ts';
import { applyTemplate, subjectChoices } from '../contract/subjects.ts';
import { saveVoucher, voucherSteps } from '../contract/voucher-calls.ts';
import type { VoucherType } from '../contract/vouchers.ts';

/** A line as stories write it: code of the subject, debit, credit; '' is none. */
export type Line = readonly [code: string, debit: string, credit: string];

/** Books from January 2026 on with the chart of the template; answers ids by code. */
export async function openBooks(owner: Person): Promise<Map<string, string>> {
  await owner.call(applyTemplate, { body: { startMonth: '2026-01' } });
  return idsOf(owner);
}

export const idsOf = async (who: Person): Promise<Map<string, string>> =>
  new Map((await who.call(subjectChoices, { body: {} })).map(({ code, id }) => [code, id]));

/** The body of a voucher. */
export const paper = (
  ids: ReadonlyMap<string, string>,
  lines: readonly Line[],
  day: string,
  type: VoucherType = 'GENERAL',
) => ({
  type,
  day,
  attachments: 0,
  lines: lines.map(([code, debit, credit], at) => ({
    summary: `第${at + 1}笔`,
    subjectId: ids.get(code) ?? '',
    debit,
    credit,
  })),
});

/** Writes a voucher and takes it so far; where others could approve it, `by` is one of them. */
export async function through(
  who: Person,
  body: ReturnType<typeof paper>,
  steps: readonly ('submit' | 'approve' | 'post')[] = ['submit', 'approve', 'post'],
  by: Person = who,
) {
  let done = await who.call(saveVoucher, { body });
  for (const step of steps) {
    done = await (step === 'approve' ? by : who).call(voucherSteps[step], { body: { id: done.id } });
  }
  return done;
}
