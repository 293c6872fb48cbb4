import { ArrowDownOutlined, ArrowUpOutlined, CopyOutlined, DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Problem } from '../../contract/check.ts';
import type { ModuleValue } from '../../contract/content.ts';
import { moduleOf } from '../../contract/modules.ts';
import { withSlot } from './modules.ts';
import { SlotField } from './SlotField.tsx';

interface Props {
  documentId: string;
  module: ModuleValue;
  index: number;
  count: number;
  open: boolean;
  problems: readonly Problem[];
  disabled: boolean;
  mayDuplicate: boolean;
  onOpen: () => void;
  onChange: (module: ModuleValue) => void;
  onMove: (by: -1 | 1) => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** One module of the editor: its head with what can be done with it, and its slots while it is open. */
export function ModuleForm(props: Props) {
  const { documentId, module, index, count, open, problems, disabled, onChange, onMove } = props;
  const { title, slots } = moduleOf(module.type);
  const whole = problems.filter(({ path }) => path === '' && !slots.some((slot) => slot.path === ''));
  const act = (label: string, icon: React.ReactNode, onClick: () => void, possible = true) => (
    <Button
      type="text"
      size="small"
      icon={icon}
      title={label}
      aria-label={`${label}模块${index + 1}`}
      disabled={disabled || !possible}
      onClick={onClick}
    />
  );
  return (
    <section className={`aplus-form${open ? ' is-open' : ''}`} aria-label={`模块${index + 1} ${title}`}>
      <header>
        <button type="button" className="aplus-form-title" aria-expanded={open} onClick={props.onOpen}>
          <b>
            {index + 1}. {title}
          </b>
          {problems.length > 0 && <span className="aplus-bad">{problems.length} 个问题</span>}
        </button>
        {act('上移', <ArrowUpOutlined />, () => onMove(-1), index > 0)}
        {act('下移', <ArrowDownOutlined />, () => onMove(1), index < count - 1)}
        {act('复制', <CopyOutlined />, props.onDuplicate, props.mayDuplicate)}
        {act('删除', <DeleteOutlined />, props.onDelete)}
      </header>
      {open && (
        <div className="aplus-slots">
          {whole.map(({ message }) => (
            <p className="aplus-bad" key={message}>
              {message}
            </p>
          ))}
          {slots.map((slot) => (
            <SlotField
              key={slot.path}
              documentId={documentId}
              slot={slot}
              value={module.values[slot.path]}
              problems={problems.filter(({ path }) => path === slot.path)}
              disabled={disabled}
              onChange={(value) => onChange(withSlot(module, slot.path, value))}
            />
          ))}
        </div>
      )}
    </section>
  );
}
