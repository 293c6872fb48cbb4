import { Radio } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { RELATIVE_DAYS, type RelativeDays } from '../../contract/days.ts';
import { companyDay } from '../day.ts';
import { FormDialog, useForm } from '../form/index.ts';
import type { SavedView } from '../ports.ts';
import { filterText } from './fields.ts';
import type { ViewsControl } from './use-views.ts';
import { relativeFields } from './views.ts';

const ViewForm = z.object({
  name: z.string().trim().min(1, '视图名称不能为空').max(40, '视图名称不能超过40个字符').meta({ title: '视图名称' }),
  isShared: z
    .boolean()
    .meta({ title: '共享给同事', tip: '公司成员都能打开，只有您能修改或删除；各人看到的数据仍按本人权限' }),
});

const FIXED = 'fixed';
type Days = Record<string, RelativeDays | typeof FIXED>;

interface Props {
  control: ViewsControl;
  /** The view whose name and sharing are changed; without one what the list shows is kept as a new one. */
  view?: SavedView;
  onClose: () => void;
}

/** Name and sharing of a view; of a new one also which of its days stay relative. */
export function ViewDialog({ control, view, onClose }: Props) {
  const form = useForm(ViewForm, { name: view?.name ?? '', isShared: view?.isShared ?? false });
  const relative = view ? [] : relativeFields(control.fields, control.state.filter, companyDay());
  const [days, setDays] = useState<Days>(() =>
    Object.fromEntries(relative.map(({ field, keys }) => [field.key, keys[0] ?? FIXED])),
  );
  const submit = (values: z.output<typeof ViewForm>) => {
    if (view) return control.change(view, values, `视图「${values.name}」已保存`);
    const kept = Object.entries(days).flatMap(([key, value]) => (value === FIXED ? [] : [[key, value] as const]));
    return control.add({ ...values, content: control.content(Object.fromEntries(kept)) });
  };
  return (
    <FormDialog
      title={view ? '修改视图' : '保存当前筛选'}
      open
      form={form}
      columns={1}
      width={440}
      onSubmit={submit}
      onClose={onClose}
      after={relative.map(({ field, keys }) => (
        <div className="view-days" key={field.key}>
          <span className="label">{field.title}</span>
          <Radio.Group
            aria-label={field.title}
            value={days[field.key]}
            onChange={({ target }) => setDays({ ...days, [field.key]: target.value })}
            options={[
              ...keys.map((key) => ({ value: key, label: `${RELATIVE_DAYS[key]}（每次打开按当天计算）` })),
              { value: FIXED, label: `固定 ${filterText(field, control.state.filter[field.key])}` },
            ]}
          />
        </div>
      ))}
    />
  );
}
