import type { z } from 'zod';
import { States } from '#kit/contract/field.ts';

/** Where the newest label of a document stands. */
export const LabelState = States(
  {
    none: { title: '未申请', tone: 'off' },
    asking: { title: '申请中', tone: 'running' },
    bought: { title: '已出单', tone: 'done' },
    failed: { title: '失败', tone: 'trouble' },
    unknown: { title: '结果未知', tone: 'trouble' },
    voiding: { title: '作废中', tone: 'running' },
    voided: { title: '已作废', tone: 'off' },
  },
  '面单',
);
export type LabelState = z.infer<typeof LabelState>;

/** States in which the platform has, or may have, a label of the document. */
export const ALIVE: readonly LabelState[] = ['asking', 'unknown', 'bought', 'voiding'];
