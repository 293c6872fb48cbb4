import { z } from 'zod';
import { MAX_LINES } from './fields.ts';

/** The states in which a document has not been agreed to. */
export const UNDER_REVIEW = {
  draft: { title: '草稿', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  rejected: { title: '已驳回', tone: 'trouble' },
} as const;

/** Which of a document's steps an approval flow takes in the place of people. */
export const BY_FLOW = {
  submit: ['submit'],
  approve: 'approve',
  reject: 'reject',
  withdraw: 'withdraw',
  cancel: ['cancel'],
} as const;

interface Review<To extends string> {
  /** Who makes such documents, hands them in and takes them back. */
  add: string;
  /** Who agrees to them or sends them back. */
  audit: string;
  /** The state of a document that was agreed to. */
  to: To;
  /** What agreeing does. */
  consequence: string;
}

/** The steps that a document goes before anything moves: handed in, then agreed to, sent back or taken back. */
export function review<const To extends string>({ add, audit, to, consequence }: Review<To>) {
  return {
    submit: {
      title: '提交',
      from: ['draft', 'rejected'],
      to: 'pending',
      permission: add,
      primary: true,
      consequence: '提交后由审核人审核，审核前不能修改',
    },
    approve: { title: '通过', from: ['pending'], to, permission: audit, primary: true, consequence },
    reject: { title: '驳回', from: ['pending'], to: 'rejected', permission: audit, reason: true },
    withdraw: { title: '撤回', from: ['pending'], to: 'draft', permission: add, internal: true },
  } as const;
}

/** The columns at the end of every list of documents: who made and who changed it. */
export const STAMPS = {
  createdByName: true,
  createdAt: true,
  updatedByName: true,
  updatedAt: true,
  version: true,
} as const;

/** The lines of a document or of a command to it: at least one. */
export function lines<L extends z.ZodType>(line: L, most = MAX_LINES) {
  return z.array(line).min(1, '至少添加一行数据').max(most).meta({ title: '明细' });
}
