import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { Choice } from '#kit/contract/field.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { contentNow, type FilterValue, filterFields } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { usePorts } from '#kit/web/ports.ts';
import { ReportFilter } from '../contract/report.ts';
import { addSubscription, Every, listSubscriptions, subscriptionReaders, WEEKDAYS } from '../contract/subscriptions.ts';

const CURRENT = 'current';
const numbered = (words: readonly string[]) => Object.fromEntries(words.map((word, n) => [String(n + 1), word]));
const Weekday = Choice(numbered(WEEKDAYS), '星期');
const MonthDay = Choice(numbered(Array.from({ length: 31 }, (_, n) => `${n + 1}日`)), '日期');
const Hour = Choice(
  Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`h${n}`, `${String(n).padStart(2, '0')}:00`])),
  '时间',
);

const Form = z.object({
  name: z.string().trim().min(1, '订阅名称不能为空').max(40, '订阅名称不能超过40个字符').meta({ title: '订阅名称' }),
  view: z.string().meta({ title: '发送内容', tip: '相对日期（如近 30 天）按每次发送的当天计算' }),
  every: Every,
  weekday: Weekday.meta({ tip: '每周发送时有效' }),
  monthDay: MonthDay.meta({ tip: '每月发送时有效；当月没有这一天时为最后一天' }),
  hour: Hour.meta({ tip: '公司时区' }),
  recipients: z
    .array(z.string())
    .min(1, '请选择收件人')
    .meta({ title: '收件人', tip: '有查看权限、邮箱已验证的公司成员' }),
});
const FIRST = { view: CURRENT, every: 'week', weekday: '1', monthDay: '1', hour: 'h8', recipients: [] };

/** A new subscription of 销售报表: what, when, to whom. */
export function SubscriptionForm({ filter, onClose }: { filter: FilterValue; onClose: () => void }) {
  const form = useForm(Form, FIRST);
  const { views: port } = usePorts();
  const { data: views = [] } = useQuery({
    queryKey: ['views', 'salesreport/report'],
    queryFn: ({ signal }) => port.load('salesreport/report', signal),
  });
  const { data: readers = [] } = useCall(subscriptionReaders, {});
  const fields = useMemo(() => filterFields(ReportFilter), []);
  const send = useSend(addSubscription, {
    refreshes: [listSubscriptions],
    quiet: true,
    onSuccess: () => notice.success('订阅已保存'),
  });
  const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <FormDialog
      title="新建订阅"
      open
      form={form}
      fields={{
        view: { options: [{ value: CURRENT, label: '当前筛选' }, ...views.map(option)] },
        weekday: { hidden: form.values.every !== 'week' },
        monthDay: { hidden: form.values.every !== 'month' },
        recipients: { options: readers.map(option), span: 2 },
      }}
      onSubmit={({ view, weekday, monthDay, hour, ...values }) =>
        send.mutateAsync({
          body: {
            ...values,
            weekday: Number(weekday),
            monthDay: Number(monthDay),
            hour: Number(hour.slice(1)),
            content: views.find(({ id }) => id === view)?.content ?? contentNow(fields, filter),
          },
        })
      }
      onClose={onClose}
    />
  );
}
