import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { COUNTRIES, type Country } from '../contract/fields.ts';
import { type Entity, EntityInput, type Registration, readSettings, saveEntity } from '../contract/settings.ts';
import './vat.css';

const Form = EntityInput.omit({ numbers: true });
const OPTIONS = Object.entries(COUNTRIES).map(([value, label]) => ({
  value: value as Country,
  label: `${value} ${label}`,
}));
const BLANK = {
  name: '',
  address: '',
  ossCountry: null,
  invoicePattern: 'INV-{country}-{yyyy}-{seq:5}',
  creditPattern: 'CN-{country}-{yyyy}-{seq:5}',
};

/** The registered numbers, one a country. */
function Numbers({ value, onChange }: { value: readonly Registration[]; onChange: (next: Registration[]) => void }) {
  const put = (at: number, part: Partial<Registration>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const free = OPTIONS.filter((one) => !value.some(({ country }) => country === one.value));
  return (
    <>
      <p className="label">VAT号</p>
      {value.map((one, at) => (
        <div key={one.country} className="vat-bar">
          <Select
            aria-label={`第${at + 1}个国家`}
            style={{ width: 130 }}
            options={OPTIONS.filter(
              ({ value: country }) => country === one.country || free.some((f) => f.value === country),
            )}
            value={one.country}
            onChange={(country) => put(at, { country })}
          />
          <Input
            aria-label={`${one.country} VAT号`}
            style={{ width: 220 }}
            value={one.number}
            onChange={({ target }) => put(at, { number: target.value })}
          />
          <Button type="text" onClick={() => onChange(value.filter((_, index) => index !== at))}>
            删除
          </Button>
        </div>
      ))}
      {free[0] && (
        <Button size="small" onClick={() => onChange([...value, { country: free[0]?.value ?? 'DE', number: '' }])}>
          添加VAT号
        </Button>
      )}
    </>
  );
}

/** 开票主体: who issues, with its numbers, the one-stop shop and the patterns of its series. */
export function EntityDialog({ of, onClose }: { of: Entity | 'new'; onClose: () => void }) {
  const known = of === 'new' ? undefined : of;
  const form = useForm(Form, known ?? BLANK);
  const [numbers, setNumbers] = useState<Registration[]>(known?.numbers ?? []);
  const send = useSend(saveEntity, {
    quiet: true,
    refreshes: [readSettings],
    onSuccess: () => notice.success('开票主体已保存'),
  });
  const named = known ? { id: known.id, version: known.version } : {};
  return (
    <FormDialog
      title={known ? '修改开票主体' : '新增开票主体'}
      open
      width={640}
      form={form}
      fields={{
        name: { span: 2 },
        address: { span: 2 },
        invoicePattern: { help: '已有编号的系列沿用原规则' },
      }}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, numbers, ...named } })}
      onClose={onClose}
    >
      <Numbers value={numbers} onChange={setNumbers} />
    </FormDialog>
  );
}
