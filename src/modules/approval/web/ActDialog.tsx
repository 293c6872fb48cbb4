import { Input, Modal, Radio, Select } from 'antd';
import { useState } from 'react';
import { notice } from '#kit/web/notice.tsx';
import type { InstanceView } from '../contract/instance.ts';
import { ACTS, type ActForm, type ActInput, type ActName, refreshApprovals } from './acts.ts';
import { PeopleSelect } from './PeopleSelect.tsx';

interface Props {
  view: InstanceView;
  act: ActName;
  onClose: () => void;
  onDone: () => void;
}

const HOW = [
  { value: 'before', label: '前加签：先请他审批，再由我审批' },
  { value: 'after', label: '后加签：我同意后，再请他审批' },
  { value: 'parallel', label: '并行加签：与我一起审批' },
];
const MODES = [
  { value: 'again', label: '逐级重审' },
  { value: 'direct', label: '直达退回人' },
];

function Extra({
  view,
  act,
  input,
  put,
}: Pick<Props, 'view' | 'act'> & { input: ActInput; put: (more: Partial<ActInput>) => void }) {
  if (act === 'return') {
    const steps = view.allowed.returnTo.map(({ key, name }) => ({ value: key, label: name }));
    return (
      <>
        <div className="field">
          <span className="field-label">退回到</span>
          <Select
            aria-label="退回到"
            value={input.toNode ?? ''}
            options={[{ value: '', label: `发起人 ${view.initiatorName}` }, ...steps]}
            onChange={(key) => put({ toNode: key || null })}
          />
        </div>
        <div className="field">
          <span className="field-label">重新提交后</span>
          <Radio.Group options={MODES} value={input.mode} onChange={(event) => put({ mode: event.target.value })} />
        </div>
      </>
    );
  }
  if (act === 'sign') {
    return (
      <Radio.Group
        className="approval-radios"
        options={HOW}
        value={input.how}
        onChange={(event) => put({ how: event.target.value })}
      />
    );
  }
  const choices =
    act === 'unsign'
      ? view.allowed.unsign.map(({ id, name }) => ({ value: id, label: name }))
      : view.path.filter(({ state }) => state === 'now').map(({ key, name }) => ({ value: key, label: name }));
  if (act !== 'unsign' && act !== 'reassign') return null;
  return (
    <div className="field">
      <span className="field-label">{act === 'unsign' ? '减去' : '节点'}</span>
      <Select
        aria-label={act === 'unsign' ? '减去' : '节点'}
        value={act === 'unsign' ? input.taskId : input.nodeKey}
        options={choices}
        onChange={(value) => put(act === 'unsign' ? { taskId: value } : { nodeKey: value })}
      />
    </div>
  );
}

/** Asks what an act needs and carries it out; a refusal leaves the dialog open. */
export function ActDialog({ view, act, onClose, onDone }: Props) {
  const form: ActForm = ACTS[act];
  const [busy, setBusy] = useState(false);
  const [input, setInput] = useState<ActInput>({
    comment: '',
    people: [],
    toNode: null,
    mode: 'again',
    how: 'before',
    nodeKey: view.path.find(({ state }) => state === 'now')?.key ?? '',
    taskId: view.allowed.unsign[0]?.id ?? '',
    next: Object.fromEntries(view.allowed.names.map(({ key, people }) => [key, people])),
  });
  const put = (more: Partial<ActInput>) => setInput((old) => ({ ...old, ...more }));
  const names = act === 'approve' ? view.allowed.names : [];
  const ready =
    (!form.required || input.comment.trim() !== '') &&
    (!form.people || input.people.length > 0) &&
    names.every(({ key }) => input.next[key]?.length);
  const send = async () => {
    if (!ready || busy) return;
    setBusy(true);
    try {
      const { message } = await form.send(view, { ...input, comment: input.comment.trim() });
      notice.success(message);
      onClose();
      onDone();
      await refreshApprovals();
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      width={480}
      title={`${form.title} · ${view.number}`}
      okText={form.title}
      okButtonProps={{ disabled: !ready, danger: form.danger ?? false }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="approval-form">
        {form.people && (
          <PeopleSelect
            label={`选择${form.title}人员`}
            single={form.people === 'one'}
            value={input.people}
            onChange={(people) => put({ people })}
          />
        )}
        {names.map(({ key, name }) => (
          <div className="field" key={key}>
            <span className="field-label">指定「{name}」由谁处理</span>
            <PeopleSelect
              label={`选择${name}`}
              value={input.next[key] ?? []}
              onChange={(people) => put({ next: { ...input.next, [key]: people } })}
            />
          </div>
        ))}
        <Extra view={view} act={act} input={input} put={put} />
        <Input.TextArea
          autoFocus={!form.people}
          aria-label="审批意见"
          placeholder={form.required ? '审批意见（必填）' : '审批意见'}
          rows={3}
          maxLength={500}
          value={input.comment}
          onChange={(event) => put({ comment: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.stopPropagation();
            void send();
          }}
        />
      </div>
    </Modal>
  );
}
