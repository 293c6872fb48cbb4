import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { AutoComplete, Button, Input, InputNumber, Select } from 'antd';
import type { FormField, FormNode } from '../../contract/form.ts';
import { withPart, withValue } from './values.ts';

interface Props {
  node: FormNode;
  label: string;
  value: unknown;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

/** Longer texts have a field of several lines. */
const LONG = 300;

function TextPart({ node, label, value, disabled, onChange }: Props & { node: Extract<FormNode, { kind: 'text' }> }) {
  const shared = {
    'aria-label': label,
    value: value === undefined ? '' : String(value),
    disabled,
    ...(node.maxLength === undefined ? {} : { count: { show: true, max: node.maxLength } }),
    ...(node.url ? { placeholder: 'https://' } : {}),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value || undefined),
  };
  const isLong = !node.url && node.maxLength !== undefined && node.maxLength >= LONG;
  return isLong ? <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} {...shared} /> : <Input {...shared} />;
}

function ChoicePart({
  node,
  label,
  value,
  disabled,
  onChange,
}: Props & { node: Extract<FormNode, { kind: 'choice' }> }) {
  // Choices may be booleans, which a select does not hold.
  const keyOf = (one: unknown): string => JSON.stringify(one);
  const options = node.options.map((option) => ({ value: keyOf(option.value), label: option.label }));
  if (node.open) {
    return (
      <AutoComplete
        aria-label={label}
        value={value === undefined ? '' : String(value)}
        disabled={disabled}
        options={node.options.map((option) => ({ value: String(option.value), label: option.label }))}
        onChange={(text: string) => onChange(text || undefined)}
      />
    );
  }
  return (
    <Select
      aria-label={label}
      value={value === undefined ? undefined : keyOf(value)}
      disabled={disabled}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择"
      options={options}
      onChange={(key: string | undefined) => onChange(key === undefined ? undefined : JSON.parse(key))}
    />
  );
}

function ListPart({ node, label, value, disabled, onChange }: Props & { node: Extract<FormNode, { kind: 'list' }> }) {
  const list: unknown[] = Array.isArray(value) && value.length > 0 ? value : [undefined];
  return (
    <div className="publish-list">
      {list.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a list have nothing else to be told apart by
        <div className="publish-line" key={index}>
          <Part
            node={node.item}
            label={label}
            value={one}
            disabled={disabled}
            onChange={(next) => onChange(withValue(list, index, next ?? {}))}
          />
          {list.length > 1 && !disabled && (
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={`删除${label}`}
              onClick={() => onChange(withValue(list, index, undefined))}
            />
          )}
        </div>
      ))}
      {list.length < node.most && !disabled && (
        <Button type="link" size="small" icon={<PlusOutlined />} onClick={() => onChange([...list, {}])}>
          添加
        </Button>
      )}
    </div>
  );
}

/** The control of one part of a value, by how it is entered. */
export function Part(props: Props) {
  const { node, label, value, disabled, onChange } = props;
  if (node.kind === 'text') return <TextPart {...props} node={node} />;
  if (node.kind === 'choice') return <ChoicePart {...props} node={node} />;
  if (node.kind === 'list') return <ListPart {...props} node={node} />;
  if (node.kind === 'object') {
    return (
      <Parts
        fields={node.fields}
        value={(value ?? {}) as Record<string, unknown>}
        disabled={disabled}
        onChange={onChange}
      />
    );
  }
  return (
    <InputNumber
      aria-label={label}
      value={typeof value === 'number' ? value : null}
      disabled={disabled}
      {...(node.min === undefined ? {} : { min: node.min })}
      {...(node.max === undefined ? {} : { max: node.max })}
      {...(node.whole ? { precision: 0 } : {})}
      onChange={(number) => onChange(number ?? undefined)}
    />
  );
}

interface PartsProps {
  fields: readonly FormField[];
  value: Readonly<Record<string, unknown>>;
  disabled: boolean;
  onChange: (value: Readonly<Record<string, unknown>>) => void;
}

/** All parts of a value beside each other; one that stands alone needs no name of its own. */
export function Parts({ fields, value, disabled, onChange }: PartsProps) {
  // "750 毫升": the number first.
  const ordered = [...fields].sort((a, b) => Number(a.name === 'unit') - Number(b.name === 'unit'));
  return (
    <div className="publish-parts">
      {ordered.map(({ name, title, required, node }) => (
        <div className={`publish-part is-${node.kind}`} key={name}>
          {fields.length > 1 && (
            <span className="label">
              {title}
              {required && <i aria-hidden="true">*</i>}
            </span>
          )}
          <Part
            node={node}
            label={title}
            value={value[name]}
            disabled={disabled}
            onChange={(part) => onChange(withPart(value, name, part))}
          />
        </div>
      ))}
    </div>
  );
}
