import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Segmented } from 'antd';
import type { Problem } from '../../contract/check.ts';
import type { SlotValue } from '../../contract/content.ts';
import type { Slot } from '../../contract/modules.ts';
import { ImageField } from './ImageField.tsx';
import { linesOf } from './modules.ts';
import { TableField } from './TableField.tsx';

interface Props {
  documentId: string;
  slot: Slot;
  value: SlotValue | undefined;
  problems: readonly Problem[];
  disabled: boolean;
  onChange: (value: SlotValue | undefined) => void;
}

function Text({ slot, value, disabled, onChange }: Props & { slot: Extract<Slot, { kind: 'text' }> }) {
  return (
    <Input
      aria-label={slot.title}
      value={value && 'text' in value ? value.text.text : ''}
      count={{ show: true, max: slot.max }}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value === '' ? undefined : { text: { text: target.value } })}
    />
  );
}

function Lines(props: Props & { slot: Extract<Slot, { kind: 'paragraph' | 'list' }> }) {
  const { slot, value, disabled, onChange } = props;
  const lines = value && 'lines' in value ? value.lines : [];
  const isList = slot.kind === 'list';
  return (
    <Input.TextArea
      aria-label={slot.title}
      value={lines.map(({ text }) => text).join('\n')}
      autoSize={{ minRows: 2, maxRows: 10 }}
      placeholder={isList ? `每行一条，最多 ${slot.most} 条，每条 ${slot.max} 个字符` : '每行一段'}
      {...(isList
        ? {}
        : { count: { show: true, max: slot.max, strategy: (text: string) => text.replaceAll('\n', '').length } })}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value === '' ? undefined : { lines: linesOf(target.value, lines) })}
    />
  );
}

function Pairs({ slot, value, disabled, onChange }: Props & { slot: Extract<Slot, { kind: 'pairs' }> }) {
  const pairs = value && 'pairs' in value ? value.pairs : [];
  const put = (at: number, change: Partial<{ label: string; text: string }>) =>
    onChange({ pairs: pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)) });
  return (
    <div className="aplus-stack">
      {pairs.map(({ label, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: specifications have nothing else to be told apart by
        <div className="aplus-line" key={index}>
          <Input
            aria-label={`第${index + 1}项名称`}
            placeholder="名称"
            value={label}
            maxLength={slot.label}
            disabled={disabled}
            onChange={({ target }) => put(index, { label: target.value })}
          />
          <Input
            aria-label={`第${index + 1}项内容`}
            placeholder="内容"
            value={text}
            maxLength={slot.text}
            disabled={disabled}
            onChange={({ target }) => put(index, { text: target.value })}
          />
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            aria-label={`删除第${index + 1}项`}
            disabled={disabled}
            onClick={() => onChange({ pairs: pairs.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      {pairs.length < slot.most && !disabled && (
        <Button
          type="link"
          size="small"
          icon={<PlusOutlined />}
          onClick={() => onChange({ pairs: [...pairs, { label: '', text: '' }] })}
        >
          添加规格（{slot.least} 至 {slot.most} 项）
        </Button>
      )}
    </div>
  );
}

function Control(props: Props) {
  const { slot, value, disabled, onChange } = props;
  if (slot.kind === 'text') return <Text {...props} slot={slot} />;
  if (slot.kind === 'paragraph' || slot.kind === 'list') return <Lines {...props} slot={slot} />;
  if (slot.kind === 'pairs') return <Pairs {...props} slot={slot} />;
  if (slot.kind === 'table') return <TableField {...props} slot={slot} />;
  if (slot.kind === 'image') {
    const image = value && 'image' in value ? value.image : undefined;
    return (
      <ImageField
        documentId={props.documentId}
        title={slot.title}
        size={slot}
        image={image}
        disabled={disabled}
        onChange={(next) => onChange(next && { image: next })}
      />
    );
  }
  return (
    <Segmented
      aria-label={slot.title}
      value={value && 'choice' in value ? value.choice : ''}
      options={Object.entries(slot.choices).map(([key, label]) => ({ value: key, label }))}
      disabled={disabled}
      onChange={(choice) => onChange({ choice: String(choice) })}
    />
  );
}

/** One slot of a module with what is wrong with it below. */
export function SlotField(props: Props) {
  const { slot, problems } = props;
  const isInvalid = problems.length > 0;
  return (
    <div className={`field${isInvalid ? ' is-invalid' : ''}`}>
      <span className="field-label">
        {slot.title}
        {slot.required && <i aria-hidden="true">*</i>}
      </span>
      <Control {...props} />
      <span className="field-help">{problems.map(({ message }) => message).join('；')}</span>
    </div>
  );
}
