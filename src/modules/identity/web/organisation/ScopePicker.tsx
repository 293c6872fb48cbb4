import { SearchOutlined } from '@ant-design/icons';
import { Checkbox, Input, Radio } from 'antd';
import { type ReactNode, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type Dimension, dimensionOptions, type ScopeGrant, type ScopeMode } from '../../contract/roles.ts';

interface Option {
  id: string;
  title: string;
  group?: string | undefined;
}

const PEOPLE_MODES: { value: ScopeMode; label: string }[] = [
  { value: 'SELF', label: '本人' },
  { value: 'DEPT', label: '本部门' },
  { value: 'DEPT_TREE', label: '本部门及下级' },
];

interface Props {
  dimension: Dimension;
  value: ScopeGrant;
  onChange: (value: ScopeGrant) => void;
  disabled?: boolean;
  /** Right in the head, e.g. the company's switch. */
  extra?: ReactNode;
  /** What 「全部」 means here. */
  allText?: string;
  note?: ReactNode;
}

function Group({ title, options, ids, onIds, disabled }: ListProps & { title: string }) {
  const chosen = options.filter((option) => ids.has(option.id)).length;
  const toggleAll = (on: boolean) => {
    const next = new Set(ids);
    for (const option of options) on ? next.add(option.id) : next.delete(option.id);
    onIds(next);
  };
  return (
    <div className="scope-group">
      {title && (
        <h4>
          <Checkbox
            checked={chosen === options.length}
            indeterminate={chosen > 0 && chosen < options.length}
            disabled={disabled}
            onChange={(event) => toggleAll(event.target.checked)}
          >
            {title}
          </Checkbox>
        </h4>
      )}
      <div>
        {options.map((option) => (
          <Checkbox
            key={option.id}
            checked={ids.has(option.id)}
            disabled={disabled}
            onChange={(event) => {
              const next = new Set(ids);
              event.target.checked ? next.add(option.id) : next.delete(option.id);
              onIds(next);
            }}
          >
            {option.title}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}

interface ListProps {
  options: readonly Option[];
  ids: ReadonlySet<string>;
  onIds: (ids: ReadonlySet<string>) => void;
  disabled: boolean;
}

function Choices({ options, ids, onIds, disabled }: ListProps) {
  const [word, setWord] = useState('');
  const text = word.trim().toLowerCase();
  const shown = options.filter((option) => option.title.toLowerCase().includes(text));
  const groups = [...Map.groupBy(shown, (option) => option.group ?? '')];
  const unseen = [...ids].filter((id) => !options.some((option) => option.id === id)).length;
  return (
    <>
      <div className="scope-search">
        <Input
          size="small"
          prefix={<SearchOutlined className="text3" />}
          placeholder="搜索"
          aria-label="搜索"
          allowClear
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        <span className="label">
          已选 {ids.size} / {options.length + unseen}
          {unseen > 0 && `，其中 ${unseen} 个不在您的范围内`}
        </span>
      </div>
      <div className="scope-list">
        {groups.map(([title, list]) => (
          <Group key={title} title={title} options={list} ids={ids} onIds={onIds} disabled={disabled} />
        ))}
        {shown.length === 0 && <div className="line-table-none">{text ? '没有匹配的项' : '还没有可选的项'}</div>}
      </div>
    </>
  );
}

/** What somebody reaches on one dimension: all of it, chosen ids, or people by department. */
export function ScopePicker({ dimension, value, onChange, disabled = false, extra, allText = '全部', note }: Props) {
  const list = value.mode === 'LIST';
  const { data, isError, error, refetch } = useCall(
    dimensionOptions,
    { params: { name: dimension.name } },
    { enabled: list },
  );
  const modes = [
    { value: 'ALL' as const, label: allText },
    { value: 'LIST' as const, label: '指定' },
    ...(dimension.people ? PEOPLE_MODES : []),
  ];
  return (
    <section className="scope-picker">
      <header>
        <h3>{dimension.title}</h3>
        {!dimension.enabled && <span className="label">公司未启用，不限制</span>}
        <span className="spring" />
        {extra}
      </header>
      <Radio.Group
        options={modes}
        value={value.mode}
        disabled={disabled}
        aria-label={dimension.title}
        onChange={(event) => onChange({ ...value, mode: event.target.value as ScopeMode })}
      />
      {note && <div className="label">{note}</div>}
      {list && isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {list && data && (
        <Choices
          options={data}
          ids={new Set(value.ids)}
          onIds={(ids) => onChange({ ...value, ids: [...ids] })}
          disabled={disabled}
        />
      )}
    </section>
  );
}
