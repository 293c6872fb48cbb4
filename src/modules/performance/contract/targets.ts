import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Instant, Money } from '#kit/contract/field.ts';
import { EDIT, Month, root, VIEW } from './report.ts';

const Member = z.uuid().meta({ title: '负责人' });
const Year = z.int().min(2000).max(2099).meta({ title: '年份' });
/** Gross profit in CNY; null: none. */
const Target = Money.nullable().meta({ title: '毛利润目标', currency: 'CNY' });

/** Targets of one member: the twelve months of a year. */
export const yearTargets = endpoint({
  title: '业绩目标',
  method: 'POST',
  path: `${root}/target/year`,
  permission: VIEW,
  access: 'read',
  body: z.object({ member: Member, year: Year }),
  reply: z.object({
    months: z.array(
      z.object({
        month: z.string(),
        amount: Target,
        /** 0: never set. */
        version: z.int(),
        updatedByName: z.string(),
        updatedAt: Instant.nullable(),
      }),
    ),
  }),
});

export const saveTargets = endpoint({
  title: '保存业绩目标',
  method: 'POST',
  path: `${root}/target/save`,
  permission: EDIT,
  access: 'write',
  body: z.object({
    member: Member,
    months: z
      .array(z.object({ month: Month('月份'), amount: Target, version: z.int().min(0) }))
      .min(1)
      .max(12)
      .meta({ title: '月份' }),
  }),
  reply: z.object({ changed: z.int() }),
});
