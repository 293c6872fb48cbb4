import { Select } from 'antd';
import { useEffect } from 'react';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { addRole, RoleForm, type RoleRow, roleTemplates, saveRole } from '../../contract/roles.ts';

/** What the dialog does: a new role, a copy, or another name for one. */
export type RoleTask = { kind: 'add' } | { kind: 'copy' | 'rename'; role: RoleRow };

interface Props {
  task: RoleTask | undefined;
  onClose: () => void;
  onDone: (id: string) => void;
}

const TITLES = { add: '添加角色', copy: '复制新增', rename: '修改角色' };

export function RoleDialog({ task, onClose, onDone }: Props) {
  const form = useForm(RoleForm, {});
  const { reset } = form;
  const templates = useCall(roleTemplates, {}, { enabled: task?.kind === 'add' });
  useEffect(() => {
    // Every opening begins with what it is about.
    if (!task) return;
    if (task.kind === 'add') reset({});
    else if (task.kind === 'copy') reset({ name: `${task.role.name} 副本`, description: task.role.description });
    else reset({ name: task.role.name, description: task.role.description });
  }, [task, reset]);
  return (
    <FormDialog
      title={task ? TITLES[task.kind] : ''}
      open={task !== undefined}
      form={form}
      columns={1}
      okText={task?.kind === 'rename' ? '保存' : '添加'}
      fields={{
        template: {
          hidden: task?.kind !== 'add',
          help: '从模板开始，之后可以调整；留空则没有任何权限',
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              allowClear
              placeholder="不使用模板"
              style={{ width: '100%' }}
              value={(value as string | undefined) ?? null}
              onChange={(next) => onChange(next ?? undefined)}
              options={(templates.data ?? []).map((each) => ({
                value: each.key,
                label: `${each.title}：${each.description}`,
              }))}
            />
          ),
        },
        copyFrom: { hidden: true },
      }}
      onSubmit={async ({ name, description, template }) => {
        const options = { quiet: true, idempotencyKey: uuid() };
        if (task?.kind === 'rename') {
          const { id, version } = task.role;
          const body = { version, name, description: description ?? '' };
          await call(saveRole, { params: { id }, body }, options);
          onDone(id);
          return;
        }
        const from = task?.kind === 'copy' ? { copyFrom: task.role.id } : template ? { template } : {};
        onDone(await call(addRole, { body: { name, description, ...from } }, options));
      }}
      onClose={onClose}
    />
  );
}
