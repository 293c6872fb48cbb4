import type { z } from 'zod';
import { States } from '#kit/contract/field.ts';

/** How far figures of a fee table can be relied on. */
export const Verified = States(
  {
    OFFICIAL: { title: '官方', tone: 'done' },
    SECONDARY: { title: '第三方转录', tone: 'waiting' },
    UNVERIFIED: { title: '未核验', tone: 'off' },
  },
  '核验状态',
);
export type Verified = z.infer<typeof Verified>;
