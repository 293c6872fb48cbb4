import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base, Month } from './fields.ts';
import { CREATE } from './vouchers.ts';

export const MakeForm = z.object({ month: Month.meta({ title: '结算月份', kind: 'month' }) });

/** Makes the drafts of all settlements that ended in a month; what was made before is not made again. */
export const makeVouchers = endpoint({
  title: '结算生成凭证',
  method: 'POST',
  path: `${base}/voucher/settled`,
  permission: CREATE,
  body: MakeForm,
  reply: z.object({
    made: z.int(),
    /** Settlements of the month that have a voucher already. */
    existed: z.int(),
    /** Vouchers that were taken back because their settlement has a newer version. */
    reversed: z.int(),
    /** Settlements and vouchers left alone, by number, and why. */
    skipped: z.array(z.object({ name: z.string(), why: z.string() })),
  }),
});
