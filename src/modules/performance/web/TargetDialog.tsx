import { Button, Select } from 'antd';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { Money } from '#kit/contract/field.ts';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { saveTargets, yearTargets } from '../contract/targets.ts';
import { REFRESHES } from './refresh.ts';

type Months = Reply<typeof yearTargets>['months'];
export interface PersonOption {
  value: string;
  label: string;
}
interface Props {
  /** Whose targets are shown first. */
  person: PersonOption;
  people: readonly PersonOption[];
  onClose: () => void;
}

const NUMBERS = Array.from({ length: 12 }, (_, at) => at + 1);
const keyOf = (number: number) => `m${number}`;
const TargetForm = z.object(
  Object.fromEntries(
    NUMBERS.map((number) => [
      keyOf(number),
      Money.optional().meta({ title: `${number}月`, kind: 'money', currency: 'CNY' }),
    ]),
  ),
);

const valuesOf = (months: Months) =>
  Object.fromEntries(months.map(({ amount }, at) => [keyOf(at + 1), amount ?? undefined]));

/** Months whose target is another one than before, with the version that the user saw. */
function changedOf(months: Months, values: Readonly<Record<string, string | undefined>>) {
  return months.flatMap(({ month, amount: before, version }, at) => {
    const amount = values[keyOf(at + 1)] ?? null;
    return amount === before ? [] : [{ month, amount, version }];
  });
}

/** 设置目标: the twelve months of one person's year; only what was changed is sent. */
export function TargetDialog({ person, people, onClose }: Props) {
  const thisYear = Number(companyDay().slice(0, 4));
  const [member, setMember] = useState(person.value);
  const [year, setYear] = useState(thisYear);
  const options = people.some(({ value }) => value === person.value) ? people : [person, ...people];
  const { data } = useCall(yearTargets, { body: { member, year } }, { staleTime: 0 });
  const form = useForm(TargetForm, {});
  const send = useSend(saveTargets, { quiet: true, refreshes: REFRESHES });
  const { reset } = form;
  useEffect(() => reset(data ? valuesOf(data.months) : {}), [data, reset]);
  const copy = async () => {
    const last = valuesOf((await call(yearTargets, { body: { member, year: year - 1 } })).months);
    const known = Object.entries(last).filter(([, amount]) => amount !== undefined);
    if (known.length === 0) notice.info(`${year - 1} 年没有目标`);
    for (const [key, amount] of known) form.set(key, amount);
  };
  return (
    <FormDialog
      title="毛利润目标（人民币）"
      open
      form={form}
      columns={3}
      onSubmit={async (values) => {
        const months = data ? changedOf(data.months, values) : [];
        if (months.length === 0) return;
        await send.mutateAsync({ body: { member, months } });
        notice.success('目标已保存');
      }}
      onClose={onClose}
    >
      <div className="target-head">
        <Select
          aria-label="负责人"
          showSearch={{ optionFilterProp: 'label' }}
          options={[...options]}
          value={member}
          onChange={setMember}
        />
        <Select
          aria-label="年份"
          options={[-1, 0, 1].map((by) => ({ value: thisYear + by, label: `${thisYear + by} 年` }))}
          value={year}
          onChange={setYear}
        />
        <Button disabled={!data} onClick={() => void copy()}>
          复制上年目标
        </Button>
      </div>
    </FormDialog>
  );
}
