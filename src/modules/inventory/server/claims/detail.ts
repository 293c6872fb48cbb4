import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { ChecklistItem } from '../../contract/claim-calls.ts';
import { CLAIM_EDIT, fbaClaim } from '../../contract/claims.ts';
import { evidenceOf } from './evidence.ts';
import { claimRow } from './list.ts';
import { type Claim, claimOf } from './load.ts';
import { caseText } from './text.ts';

const VALUES: Partial<Record<Claim['type'], string>> = {
  CUSTOMER_REFUND_NO_RETURN: '订单净收入',
  FEE_OVERCHARGE: '单件超收额',
};

/** What is known of all that the claim needs; the same as COMPLETE. */
const checklistOf = ({ type, fnsku, reference, unitValue }: Claim): ChecklistItem[] => [
  { title: 'FNSKU', done: fnsku !== '' },
  { title: '参考编号', done: reference !== '' },
  { title: VALUES[type] ?? '采购成本', done: unitValue !== null },
];

/** Everything that the page of a claim shows. @throws notFound */
export async function claimPageOf(ctx: Ctx, id: string) {
  const row = await claimRow(ctx, id);
  if (!row) throw notFound('索赔单不存在或已删除');
  const claim = await claimOf(ctx, id, false);
  const evidence = await evidenceOf(ctx, claim);
  return {
    claim: row,
    evidence,
    checklist: checklistOf(claim),
    text: caseText(claim, evidence),
    actions: actionsOf(fbaClaim, row.state, new Set(can(ctx, CLAIM_EDIT) ? [CLAIM_EDIT] : [])),
    timeline: await timelineOf(ctx, fbaClaim.name, id),
  };
}
