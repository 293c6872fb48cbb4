import { Button, Checkbox, InputNumber, Select } from 'antd';
import type { KindView } from '../../contract/config.ts';
import { SOURCES, type Source } from '../../contract/flow.ts';
import { PeopleSelect } from '../PeopleSelect.tsx';

interface Props {
  value: readonly Source[];
  onChange: (sources: Source[]) => void;
  kind: KindView | undefined;
  /** People who are only told: nobody picks them at the step before. */
  told?: boolean;
}

function begun(from: Source['from'], kind: KindView | undefined): Source {
  if (from === 'users' || from === 'roles') return { from, ids: [] };
  if (from === 'leader' || from === 'leaders') return { from, level: from === 'leader' ? 1 : 2 };
  if (from === 'related') return { from, key: kind?.people[0]?.key ?? '' };
  return { from };
}

function Details({
  source,
  onChange,
  kind,
}: {
  source: Source;
  onChange: (source: Source) => void;
  kind: KindView | undefined;
}) {
  if (source.from === 'users' || source.from === 'roles') {
    return (
      <>
        <PeopleSelect
          label={source.from === 'users' ? '选择成员' : '选择角色'}
          of={source.from === 'users' ? 'members' : 'roles'}
          value={source.ids}
          onChange={(ids) => onChange({ ...source, ids })}
        />
        {source.from === 'roles' && (
          <Checkbox
            checked={source.within ?? false}
            onChange={(event) => onChange({ ...source, within: event.target.checked })}
          >
            仅限数据范围覆盖该单据的成员
          </Checkbox>
        )}
      </>
    );
  }
  if (source.from === 'leader' || source.from === 'leaders') {
    return (
      <InputNumber
        aria-label="级数"
        min={1}
        max={10}
        precision={0}
        value={source.level}
        prefix={source.from === 'leader' ? '第' : '共'}
        suffix="级"
        onChange={(level) => onChange({ ...source, level: level ?? 1 })}
      />
    );
  }
  if (source.from !== 'related') return null;
  return (
    <Select
      aria-label="关联人"
      value={source.key || null}
      placeholder="选择关联人"
      options={kind?.people.map(({ key, title }) => ({ value: key, label: title })) ?? []}
      onChange={(key) => onChange({ ...source, key })}
    />
  );
}

/** Where the people of a step come from: one or several sources. */
export function SourcesEditor({ value, onChange, kind, told = false }: Props) {
  const kinds = Object.entries(SOURCES)
    .filter(([from]) => from !== 'related' || (kind?.people.length ?? 0) > 0)
    .filter(([from]) => from !== 'previous' || !told)
    .map(([from, label]) => ({ value: from as Source['from'], label }));
  const put = (index: number, source: Source) => onChange(value.map((one, at) => (at === index ? source : one)));
  const used = new Set(value.map(({ from }) => from));
  const next = kinds.find(({ value: from }) => !used.has(from))?.value;
  return (
    <div className="flow-sources">
      {value.map((source, index) => (
        <div className="flow-source" key={source.from}>
          <Select
            aria-label="来源"
            value={source.from}
            options={kinds.map((one) => ({ ...one, disabled: one.value !== source.from && used.has(one.value) }))}
            onChange={(from) => put(index, begun(from, kind))}
          />
          <Button type="text" aria-label="删除来源" onClick={() => onChange(value.filter((_, at) => at !== index))}>
            ×
          </Button>
          <Details source={source} onChange={(changed) => put(index, changed)} kind={kind} />
        </div>
      ))}
      {next && (
        <Button size="small" onClick={() => onChange([...value, begun(next, kind)])}>
          添加人员来源
        </Button>
      )}
    </div>
  );
}
