import { Button, Checkbox, Input, InputNumber, Radio, Segmented, Select } from 'antd';
import type { ReactNode } from 'react';
import type { KindView } from '../../contract/config.ts';
import {
  type BranchNode,
  type Due,
  type FlowNode,
  isWork,
  MODES,
  OVERDUE,
  type ParallelNode,
  type WorkNode,
} from '../../contract/flow.ts';
import { emptyOptions } from '../../contract/words.ts';
import { PeopleSelect } from '../PeopleSelect.tsx';
import { ConditionEditor } from './ConditionEditor.tsx';
import { SourcesEditor } from './SourcesEditor.tsx';

interface Props<N extends FlowNode = FlowNode> {
  node: N;
  onChange: (node: FlowNode) => void;
  kind: KindView | undefined;
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      {children}
    </div>
  );
}

function DueField({
  due,
  onChange,
  kind,
  handles,
}: {
  due: Due | null;
  onChange: (due: Due | null) => void;
  kind: KindView | undefined;
  handles: boolean;
}) {
  const actions = Object.entries(OVERDUE)
    .filter(
      ([action]) =>
        !(action === 'approve' && kind?.pays) && !(handles && (action === 'approve' || action === 'reject')),
    )
    .map(([value, label]) => ({ value: value as Due['action'], label }));
  return (
    <Field label="时限">
      <Checkbox
        checked={due !== null}
        onChange={(event) => onChange(event.target.checked ? { hours: 8, clock: 'working', action: 'remind' } : null)}
      >
        限时处理
      </Checkbox>
      {due && (
        <div className="flow-due">
          <InputNumber
            aria-label="小时"
            min={0.5}
            max={720}
            step={0.5}
            value={due.hours}
            suffix="小时"
            onChange={(hours) => onChange({ ...due, hours: hours ?? 8 })}
          />
          <Segmented<Due['clock']>
            value={due.clock}
            options={[
              { value: 'working', label: '工作时间' },
              { value: 'natural', label: '自然时间' },
            ]}
            onChange={(clock) => onChange({ ...due, clock })}
          />
          <Select
            aria-label="超时处理"
            value={due.action}
            options={actions}
            onChange={(action) => onChange({ ...due, action })}
          />
        </div>
      )}
    </Field>
  );
}

function WorkFields({ node, onChange, kind }: Props<WorkNode>) {
  const modes = Object.entries(MODES)
    .filter(([mode]) => node.type === 'approve' || mode === 'any' || mode === 'all')
    .map(([value, label]) => ({ value, label }));
  return (
    <>
      <Field label={node.type === 'approve' ? '审批人' : '办理人'}>
        <SourcesEditor value={node.who} kind={kind} onChange={(who) => onChange({ ...node, who })} />
      </Field>
      <Field label="多人时">
        <Radio.Group
          optionType="button"
          value={node.mode}
          options={modes}
          onChange={(event) => onChange({ ...node, mode: event.target.value })}
        />
        {node.type === 'approve' && node.mode === 'vote' && (
          <InputNumber
            aria-label="通过比例"
            min={1}
            max={100}
            precision={0}
            value={node.percent}
            suffix="% 同意即通过"
            onChange={(percent) => onChange({ ...node, percent: percent ?? 60 })}
          />
        )}
        {node.type === 'approve' && node.mode === 'all' && (
          <Checkbox checked={node.waitAll} onChange={(event) => onChange({ ...node, waitAll: event.target.checked })}>
            全部表态后再判定
          </Checkbox>
        )}
      </Field>
      <Field label="找不到人时">
        <Select
          aria-label="找不到人时"
          value={node.empty}
          options={emptyOptions}
          onChange={(empty) => onChange({ ...node, empty: empty as WorkNode['empty'] })}
        />
        {node.empty === 'people' && (
          <PeopleSelect
            label="选择接收人"
            value={node.emptyPeople}
            onChange={(emptyPeople) => onChange({ ...node, emptyPeople })}
          />
        )}
      </Field>
      <DueField
        due={node.due}
        kind={kind}
        handles={node.type === 'handle'}
        onChange={(due) => onChange({ ...node, due })}
      />
    </>
  );
}

const caseKey = (index: number) => `case-${index}`;

function BranchFields({ node, onChange, kind }: Props<BranchNode>) {
  const put = (index: number, more: object) =>
    onChange({ ...node, cases: node.cases.map((one, at) => (at === index ? { ...one, ...more } : one)) });
  const swap = (index: number) => {
    const cases = [...node.cases];
    const [moved] = cases.splice(index, 1);
    if (moved) cases.splice(index - 1, 0, moved);
    onChange({ ...node, cases });
  };
  return (
    <>
      {node.cases.map((one, index) => (
        <div className="flow-branch" key={caseKey(index)}>
          <div className="flow-branch-head">
            <Input
              aria-label="分支名称"
              maxLength={30}
              value={one.name}
              onChange={(event) => put(index, { name: event.target.value })}
            />
            {one.when && index > 0 && <Button onClick={() => swap(index)}>上移</Button>}
            {one.when && node.cases.length > 2 && (
              <Button onClick={() => onChange({ ...node, cases: node.cases.filter((_, at) => at !== index) })}>
                删除
              </Button>
            )}
          </div>
          {one.when ? (
            <ConditionEditor value={one.when} kind={kind} onChange={(when) => put(index, { when })} />
          ) : (
            <span className="label">以上分支都不满足时走这里</span>
          )}
        </div>
      ))}
      <Button
        disabled={node.cases.length >= 10}
        onClick={() => {
          const added = { name: `分支${node.cases.length}`, when: { join: 'all' as const, rules: [] }, steps: [] };
          onChange({ ...node, cases: [...node.cases.slice(0, -1), added, ...node.cases.slice(-1)] });
        }}
      >
        添加分支
      </Button>
    </>
  );
}

function ParallelFields({ node, onChange }: Props<ParallelNode>) {
  const put = (index: number, name: string) =>
    onChange({ ...node, branches: node.branches.map((one, at) => (at === index ? { ...one, name } : one)) });
  return (
    <>
      {node.branches.map((one, index) => (
        <div className="flow-branch-head" key={caseKey(index)}>
          <Input
            aria-label="分支名称"
            maxLength={30}
            value={one.name}
            onChange={(event) => put(index, event.target.value)}
          />
          {node.branches.length > 2 && (
            <Button onClick={() => onChange({ ...node, branches: node.branches.filter((_, at) => at !== index) })}>
              删除
            </Button>
          )}
        </div>
      ))}
      <Button
        disabled={node.branches.length >= 10}
        onClick={() =>
          onChange({ ...node, branches: [...node.branches, { name: `分支${node.branches.length + 1}`, steps: [] }] })
        }
      >
        添加分支
      </Button>
    </>
  );
}

/** What a node does, to be changed. */
export function NodePanel({ node, onChange, kind }: Props) {
  return (
    <div className="flow-panel-body">
      <Field label="名称">
        <Input
          aria-label="名称"
          maxLength={30}
          value={node.name}
          onChange={(event) => onChange({ ...node, name: event.target.value })}
        />
      </Field>
      {isWork(node) && <WorkFields node={node} onChange={onChange} kind={kind} />}
      {node.type === 'cc' && (
        <Field label="抄送人">
          <SourcesEditor told value={node.who} kind={kind} onChange={(who) => onChange({ ...node, who })} />
        </Field>
      )}
      {node.type === 'auto' && (
        <Field label="处理">
          <Radio.Group
            value={node.action}
            options={[
              { value: 'approve', label: '流程通过' },
              { value: 'reject', label: '流程拒绝' },
            ]}
            onChange={(event) => onChange({ ...node, action: event.target.value })}
          />
        </Field>
      )}
      {node.type === 'branch' && <BranchFields node={node} onChange={onChange} kind={kind} />}
      {node.type === 'parallel' && <ParallelFields node={node} onChange={onChange} kind={kind} />}
    </div>
  );
}
