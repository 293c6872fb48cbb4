import { SearchOutlined } from '@ant-design/icons';
import { DatePicker, Input, InputNumber, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ClipboardEvent, useEffect, useState } from 'react';
import { RELATIVE_DAYS, RELATIVE_KEYS, relativeDays } from '../../contract/days.ts';
import { companyDay } from '../day.ts';
import { type FilterField, isSet, rangeOf, rangeValue } from './fields.ts';

export interface ControlProps {
  field: FilterField;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The control fills its box instead of having its own width. */
  block?: boolean;
}

const label = (text: string) => <span className="filter-label">{text}</span>;

/** Widths in px by which the bar decides what fits on its line. */
export const CONTROL_WIDTHS: Record<FilterField['control'], number> = {
  search: 230,
  select: 130,
  multi: 150,
  boolean: 120,
  date: 150,
  month: 186,
  number: 130,
  dateRange: 286,
  numberRange: 200,
};

const WIDE = 13;
const NARROW = 7.5;

/** About how wide a text stands in 13 px: Chinese signs are square, others about half of that. */
function textWidth(text: string): number {
  return [...text].reduce((sum, char) => sum + (char > '\u2000' ? WIDE : NARROW), 0);
}

/** Width of a filter's control: choices are as wide as their label and longest option want, within limits. */
export function controlWidth(field: FilterField): number {
  const least = CONTROL_WIDTHS[field.control];
  if (field.control !== 'select') return least;
  const longest = Math.max(0, ...field.options.map((option) => textWidth(option.label)));
  return Math.round(Math.min(200, Math.max(least, 52 + textWidth(field.title) + longest)));
}

function Search({
  field,
  value,
  onChange,
  block,
}: ControlProps & { field: Extract<FilterField, { control: 'search' }> }) {
  const shown = Array.isArray(value) ? value.join(', ') : ((value as string | undefined) ?? '');
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);

  const apply = (raw: string) => {
    const terms = raw
      .split(field.separators)
      .map((term) => term.trim())
      .filter(Boolean);
    const next = field.many ? (terms.length > 0 ? terms : undefined) : raw.trim() || undefined;
    if (JSON.stringify(next) !== JSON.stringify(isSet(value) ? value : undefined)) onChange(next);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!field.many || !/[\r\n\t]/.test(pasted)) return;
    // A column copied from a sheet: an input would glue its lines together.
    event.preventDefault();
    apply(text ? `${text}\n${pasted}` : pasted);
  };
  return (
    <Input
      className="filter-search"
      style={block ? { width: '100%' } : { width: CONTROL_WIDTHS.search }}
      prefix={<SearchOutlined className="text3" />}
      placeholder={field.many ? `${field.title}，可粘贴多个` : field.title}
      aria-label={field.title}
      allowClear
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        if (event.target.value === '') apply('');
      }}
      onPressEnter={() => apply(text)}
      onBlur={() => apply(text)}
      onPaste={onPaste}
    />
  );
}

function One({ field, value, onChange, block }: ControlProps) {
  const options =
    field.control === 'boolean'
      ? [
          { value: 'true', label: '是' },
          { value: 'false', label: '否' },
        ]
      : field.options;
  return (
    <Select
      style={{ width: block ? '100%' : controlWidth(field) }}
      prefix={label(field.title)}
      placeholder="全部"
      aria-label={field.title}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      options={options}
      value={isSet(value) ? String(value) : undefined}
      onChange={(next?: string) => onChange(field.control === 'boolean' && next !== undefined ? next === 'true' : next)}
    />
  );
}

function Many({ field, value, onChange, block }: ControlProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const first = field.options.find((option) => option.value === chosen[0])?.label ?? chosen[0];
  return (
    <Select
      className="filter-multi"
      mode="multiple"
      style={{ width: block ? '100%' : CONTROL_WIDTHS.multi }}
      prefix={label(field.title)}
      placeholder="全部"
      aria-label={field.title}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      maxTagCount={0}
      maxTagPlaceholder={chosen.length > 1 ? `${first} 等 ${chosen.length} 项` : first}
      options={field.options}
      value={chosen}
      onChange={(next: string[]) => onChange(next.length > 0 ? next : undefined)}
    />
  );
}

const DAY = 'YYYY-MM-DD';
const MONTH = 'YYYY-MM';

/** Presets count back from the company's today. */
function presets(): { label: string; value: [Dayjs, Dayjs] }[] {
  const today = companyDay();
  return RELATIVE_KEYS.map((key) => {
    const { from, to } = relativeDays(key, today);
    return { label: RELATIVE_DAYS[key], value: [dayjs(from), dayjs(to)] };
  });
}

function Days({ field, value, onChange, block }: ControlProps & { field: Extract<FilterField, { shape: string }> }) {
  const [from, to] = rangeOf(value);
  return (
    <DatePicker.RangePicker
      style={{ width: block ? '100%' : CONTROL_WIDTHS.dateRange }}
      prefix={label(field.title)}
      aria-label={field.title}
      presets={presets()}
      allowEmpty={field.shape === 'object' ? [true, true] : [false, false]}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      onChange={(days) => onChange(rangeValue(field, days?.[0]?.format(DAY), days?.[1]?.format(DAY)))}
    />
  );
}

function Numbers({ field, value, onChange, block }: ControlProps & { field: Extract<FilterField, { shape: string }> }) {
  const [from, to] = rangeOf(value);
  const put = (low: string | undefined, high: string | undefined) => onChange(rangeValue(field, low, high));
  const text = (next: string | null) => (next === null || next === '' ? undefined : next);
  return (
    <span className="filter-numbers" style={{ width: block ? '100%' : CONTROL_WIDTHS.numberRange }}>
      <InputNumber<string>
        stringMode
        prefix={label(field.title)}
        aria-label={`${field.title}，不小于`}
        controls={false}
        value={from ?? null}
        onChange={(next) => put(text(next), to)}
      />
      <span className="text3">–</span>
      <InputNumber<string>
        stringMode
        aria-label={`${field.title}，不大于`}
        controls={false}
        value={to ?? null}
        onChange={(next) => put(from, text(next))}
      />
    </span>
  );
}

/** The control of one filter, its label inside. */
export function FilterControl(props: ControlProps) {
  const { field, value, onChange, block } = props;
  switch (field.control) {
    case 'search':
      return <Search {...props} field={field} />;
    case 'multi':
      return <Many {...props} />;
    case 'dateRange':
      return <Days {...props} field={field} />;
    case 'numberRange':
      return <Numbers {...props} field={field} />;
    case 'date':
    case 'month': {
      const format = field.control === 'month' ? MONTH : DAY;
      return (
        <DatePicker
          picker={field.control}
          style={{ width: block ? '100%' : CONTROL_WIDTHS[field.control] }}
          prefix={label(field.title)}
          aria-label={field.title}
          value={isSet(value) ? dayjs(String(value)) : null}
          onChange={(day) => onChange(day ? day.format(format) : undefined)}
        />
      );
    }
    case 'number':
      return (
        <InputNumber
          style={{ width: block ? '100%' : CONTROL_WIDTHS.number }}
          prefix={label(field.title)}
          aria-label={field.title}
          controls={false}
          value={isSet(value) ? Number(value) : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    default:
      return <One {...props} />;
  }
}
