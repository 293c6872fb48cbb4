import { Input, InputNumber, Modal, Radio, Select } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, call, messageOf, uuid } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { addMenu, type MenuRow, saveMenu } from '../../contract/menu-editor.ts';

/** A new entry below another one, or one that is changed. */
export type MenuTask = { kind: 'add'; parent: string } | { kind: 'edit'; row: MenuRow };

interface Props {
  task: MenuTask | undefined;
  parents: readonly { value: string; title: string }[];
  onClose: () => void;
  onDone: () => void;
}

interface Values {
  kind: 'dir' | 'link';
  parent: string;
  title: string;
  icon: string;
  sort: number;
  redirect: string;
}

const START: Values = { kind: 'link', parent: '', title: '', icon: '', sort: 100, redirect: '' };

function valuesOf(task: MenuTask): Values {
  if (task.kind === 'add') return { ...START, parent: task.parent };
  const { title, icon, sort, redirect, kind } = task.row;
  return { ...START, kind: kind === 'link' ? 'link' : 'dir', title, icon: icon ?? '', sort, redirect: redirect ?? '' };
}

async function send(task: MenuTask, values: Values): Promise<void> {
  const { kind, parent, title, icon, sort, redirect } = values;
  const link = kind === 'link' ? { redirect } : {};
  const options = { quiet: true, idempotencyKey: uuid() };
  if (task.kind === 'add') await call(addMenu, { body: { kind, parent, title, icon, sort, ...link } }, options);
  else {
    const body = { title, icon, sort, ...(task.row.kind === 'link' ? link : {}) };
    await call(saveMenu, { params: { key: task.row.key }, body }, options);
  }
}

/** Name, icon and place of a menu entry; for a link also where it leads. */
export function MenuDialog({ task, parents, onClose, onDone }: Props) {
  const [values, setValues] = useState(START);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (task) setValues(valuesOf(task));
  }, [task]);
  const put = (change: Partial<Values>) => setValues({ ...values, ...change });
  const adds = task?.kind === 'add';
  const link = adds ? values.kind === 'link' : task?.row.kind === 'link';
  const submit = async () => {
    if (!task || busy) return;
    setBusy(true);
    try {
      await send(task, values);
      onDone();
      onClose();
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const field = (label: string, control: ReactNode, help = '') => (
    <div className="field">
      <span className="field-label">{label}</span>
      {control}
      <div className="field-help">{help}</div>
    </div>
  );
  return (
    <Modal
      title={adds ? '新增菜单' : '修改菜单'}
      open={task !== undefined}
      width={560}
      okText="保存"
      okButtonProps={{ disabled: values.title.trim() === '' }}
      confirmLoading={busy}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <div className="form" style={{ gridTemplateColumns: '1fr 1fr' }}>
        {adds &&
          field(
            '菜单类型',
            <Radio.Group
              value={values.kind}
              options={[
                { value: 'link', label: '外链' },
                { value: 'dir', label: '目录' },
              ]}
              onChange={(event) => put({ kind: event.target.value as 'dir' | 'link' })}
            />,
          )}
        {adds &&
          field(
            '上级菜单',
            <Select
              aria-label="上级菜单"
              style={{ width: '100%' }}
              value={values.parent}
              onChange={(parent) => put({ parent })}
              options={parents.map((each) => ({ value: each.value, label: each.title }))}
            />,
          )}
        {field(
          '菜单名称',
          <Input
            aria-label="菜单名称"
            maxLength={20}
            value={values.title}
            onChange={(event) => put({ title: event.target.value })}
          />,
        )}
        {field(
          '排序',
          <InputNumber
            aria-label="排序"
            style={{ width: '100%' }}
            min={0}
            max={9999}
            precision={0}
            value={values.sort}
            onChange={(sort) => put({ sort: sort ?? 0 })}
          />,
          '小的在前',
        )}
        {field(
          '图标',
          <Input
            aria-label="图标"
            maxLength={40}
            value={values.icon}
            onChange={(event) => put({ icon: event.target.value })}
          />,
          '仅一级目录显示图标，例如 sales',
        )}
        {link &&
          field(
            '外链地址',
            <Input
              aria-label="外链地址"
              maxLength={500}
              placeholder="https://"
              value={values.redirect}
              onChange={(event) => put({ redirect: event.target.value })}
            />,
            '域名须在允许的名单中，在新窗口打开',
          )}
      </div>
    </Modal>
  );
}
