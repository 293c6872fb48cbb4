import { Button, Input, Segmented, Select, Switch } from 'antd';
import { type Comparison, type Condition, OPERATORS, OPERATORS_OF, type Operator } from '../../contract/condition.ts';
import type { KindView } from '../../contract/config.ts';

interface Props {
  value: Condition;
  onChange: (condition: Condition) => void;
  kind: KindView | undefined;
}

type Field = KindView['fields'][number];

function ValueControl({
  field,
  rule,
  onChange,
}: {
  field: Field;
  rule: Comparison;
  onChange: (value: Comparison['value']) => void;
}) {
  if (rule.op === 'isEmpty') return <span />;
  if (field.kind === 'boolean') {
    return <Switch aria-label="值" checked={rule.value === true} onChange={onChange} />;
  }
  if (field.kind === 'choice') {
    return (
      <Select
        mode="multiple"
        aria-label="值"
        placeholder="选择"
        value={Array.isArray(rule.value) ? rule.value : []}
        options={field.options.map(({ value, title }) => ({ value, label: title }))}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(value: string[]) => onChange(value)}
      />
    );
  }
  const number = field.kind === 'money' || field.kind === 'number';
  return (
    <Input
      aria-label="值"
      placeholder={number ? '数字' : '文字'}
      value={typeof rule.value === 'string' ? rule.value : ''}
      onChange={(event) => onChange(event.target.value.trim())}
    />
  );
}

/** Rules are told apart by their place: two may be alike. */
const ruleKey = (index: number) => `rule-${index}`;

/** Changing the field begins its rule anew: another kind of field compares in other ways. */
function begun(field: Field | undefined): Comparison {
  const op = (field && OPERATORS_OF[field.kind][0]) ?? 'eq';
  return { field: field?.key ?? '', op, value: field?.kind === 'choice' ? [] : field?.kind === 'boolean' ? true : '' };
}

/** Comparisons of a document's fields, joined by all or by any. */
export function ConditionEditor({ value, onChange, kind }: Props) {
  const fields = kind?.fields ?? [];
  const put = (index: number, rule: Comparison) =>
    onChange({ ...value, rules: value.rules.map((one, at) => (at === index ? rule : one)) });
  return (
    <div className="flow-condition">
      {value.rules.length > 1 && (
        <Segmented<Condition['join']>
          size="small"
          value={value.join}
          options={[
            { value: 'all', label: '满足全部' },
            { value: 'any', label: '满足任一' },
          ]}
          onChange={(join) => onChange({ ...value, join })}
        />
      )}
      {value.rules.map((rule, index) => {
        const field = fields.find(({ key }) => key === rule.field);
        return (
          <div className="flow-rule" key={ruleKey(index)}>
            <Select
              aria-label="字段"
              value={rule.field || null}
              options={fields.map(({ key, title }) => ({ value: key, label: title }))}
              onChange={(key) => put(index, begun(fields.find((one) => one.key === key)))}
            />
            <Select<Operator>
              aria-label="比较"
              value={rule.op}
              options={(field ? OPERATORS_OF[field.kind] : []).map((op) => ({ value: op, label: OPERATORS[op] }))}
              onChange={(op) => put(index, { ...rule, op })}
            />
            {field ? (
              <ValueControl field={field} rule={rule} onChange={(next) => put(index, { ...rule, value: next })} />
            ) : (
              <span />
            )}
            <Button
              type="text"
              aria-label="删除条件"
              onClick={() => onChange({ ...value, rules: value.rules.filter((_, at) => at !== index) })}
            >
              ×
            </Button>
          </div>
        );
      })}
      <Button size="small" onClick={() => onChange({ ...value, rules: [...value.rules, begun(fields[0])] })}>
        添加条件
      </Button>
    </div>
  );
}
