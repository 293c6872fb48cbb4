import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { GRADE } from '../../contract.ts';

export const GRADED_EVENT = 'supplier.graded';
/** What the message is about: the scores of a quarter. */
export const SCORES = 'supplier.scores';

/** A quarter that was closed: suppliers with a score in it, and how many grades are proposed or were changed. */
export interface Closed {
  quarter: string;
  scored: number;
  proposed: number;
  applied: number;
}

function outcome({ proposed, applied }: Closed): string {
  if (applied > 0) return `已自动调整 ${applied} 家的等级`;
  return proposed > 0 ? `建议调整 ${proposed} 家的等级，请处理` : '没有等级需要调整';
}

/** Tells those who give grades that a quarter is closed, once; nobody where nothing was scored. */
export async function tell(ctx: Ctx, closed: Closed): Promise<void> {
  if (closed.scored === 0) return;
  await remind(ctx, {
    to: { permission: GRADE },
    title: `${closed.quarter} 供应商评分已定稿：${closed.scored} 家`,
    content: `${closed.quarter} 共评分 ${closed.scored} 家供应商，${outcome(closed)}。`,
    event: GRADED_EVENT,
    documentType: SCORES,
    documentId: closed.quarter,
    dedupeKey: `${GRADED_EVENT}:${closed.quarter}`,
  });
}
