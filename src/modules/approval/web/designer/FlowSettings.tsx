import { Input, InputNumber, Select } from 'antd';
import type { KindView } from '../../contract/config.ts';
import { type FlowInput, Scope } from '../../contract/flows.ts';
import { PeopleSelect } from '../PeopleSelect.tsx';

interface Props {
  flow: FlowInput;
  onChange: (more: Partial<FlowInput>) => void;
  kinds: readonly KindView[];
}

const SCOPES = Object.entries(Scope.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as FlowInput['scope'],
  label: title,
}));

/** Every warehouse that fields of the kind offer: what a scope can name. */
function places(kind: KindView | undefined, scope: FlowInput['scope']) {
  const found =
    kind?.fields.filter(({ key }) => key.toLowerCase().includes(scope)).flatMap(({ options }) => options) ?? [];
  return [...new Map(found.map(({ value, title }) => [value, { value, label: title }])).values()];
}

/** What a flow is for: shown while no node is chosen. */
export function FlowSettings({ flow, onChange, kinds }: Props) {
  const kind = kinds.find(({ docType }) => docType === flow.docType);
  return (
    <div className="flow-panel-body">
      <div className="field">
        <span className="field-label">流程名称</span>
        <Input
          aria-label="流程名称"
          maxLength={50}
          value={flow.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </div>
      <div className="field">
        <span className="field-label">单据类型</span>
        <Select
          aria-label="单据类型"
          disabled={flow.id !== undefined}
          value={flow.docType || null}
          placeholder="选择单据类型"
          options={kinds.map(({ docType, title }) => ({ value: docType, label: title }))}
          onChange={(docType) => onChange({ docType })}
        />
      </div>
      <div className="field">
        <span className="field-label">适用范围</span>
        <Select
          aria-label="适用范围"
          value={flow.scope}
          options={SCOPES}
          onChange={(scope) => onChange({ scope, scopeIds: [] })}
        />
        {flow.scope === 'department' && (
          <PeopleSelect
            label="选择部门"
            of="departments"
            value={flow.scopeIds}
            onChange={(scopeIds) => onChange({ scopeIds })}
          />
        )}
        {(flow.scope === 'warehouse' || flow.scope === 'store') && (
          <Select
            mode="multiple"
            aria-label="范围明细"
            placeholder={flow.scope === 'warehouse' ? '选择仓库' : '选择店铺'}
            value={[...flow.scopeIds]}
            options={places(kind, flow.scope)}
            onChange={(scopeIds: string[]) => onChange({ scopeIds })}
          />
        )}
      </div>
      <div className="field">
        <span className="field-label">优先级</span>
        <InputNumber
          aria-label="优先级"
          min={0}
          max={999}
          precision={0}
          value={flow.priority}
          onChange={(priority) => onChange({ priority: priority ?? 0 })}
        />
        <span className="label">同一范围有多个流程时，数字大的优先；仓库、店铺、部门的流程先于全公司</span>
      </div>
    </div>
  );
}
