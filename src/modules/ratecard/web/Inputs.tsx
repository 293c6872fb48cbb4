import { InputNumber, Select } from 'antd';
import { DayPicker } from '#kit/web/form/index.ts';
import { Category } from '../contract/referral.ts';
import type { Typed } from '../contract/results.ts';

const CATEGORIES = Category.options.map((value) => ({
  value,
  label: Category.meta()?.states?.[value]?.title ?? value,
}));
const FIELDS: readonly [key: Exclude<keyof Typed, 'day' | 'category'>, label: string][] = [
  ['length', '长(cm)'],
  ['width', '宽(cm)'],
  ['height', '高(cm)'],
  ['weight', '重量(kg)'],
  ['cost', '采购成本(¥)'],
  ['firstLeg', '头程(¥)'],
  ['duty', '关税率(%)'],
  ['fixed', '固定费用(¥)'],
  ['ads', '广告(%)'],
  ['returns', '退货(%)'],
  ['other', '其他(%)'],
  ['months', '仓储月数'],
];

interface Props {
  typed: Typed;
  /** Fields whose figures come from a plan: they are not asked for. */
  planned: ReadonlySet<keyof Typed>;
  onChange: (more: Partial<Typed>) => void;
}

/** Figures of the piece that are the same in every country. */
export function Inputs({ typed, planned, onChange }: Props) {
  return (
    <div className="calc-fields">
      <div className="calc-field">
        <span>生效日期</span>
        <DayPicker label="生效日期" required value={typed.day} onChange={(day) => day && onChange({ day })} />
      </div>
      <div className="calc-field">
        <span>品类</span>
        <Select
          aria-label="品类"
          value={typed.category}
          options={CATEGORIES}
          onChange={(category) => onChange({ category })}
        />
      </div>
      {FIELDS.filter(([key]) => !planned.has(key)).map(([key, label]) => (
        <div className="calc-field" key={key}>
          <span>{label}</span>
          <InputNumber<string>
            stringMode
            min="0"
            aria-label={label}
            value={typed[key]}
            onChange={(value) => onChange({ [key]: value ?? '' })}
          />
        </div>
      ))}
    </div>
  );
}
