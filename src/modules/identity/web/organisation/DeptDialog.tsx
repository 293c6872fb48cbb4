import { Select } from 'antd';
import { useEffect } from 'react';
import { cacheKey, call, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  addDepartment,
  type Department,
  DepartmentForm,
  departmentOptions,
  listDepartments,
  saveDepartment,
} from '../../contract/departments.ts';
import { dimensionOptions, OWNER_DIMENSION } from '../../contract/roles.ts';

/** A new department (below one, or at the top), or one that is changed. */
export type DeptTask = { kind: 'add'; parentId: string | null } | { kind: 'edit'; dept: Department };

interface Option {
  value: string;
  label: string;
}

function choose(options: readonly Option[], placeholder: string) {
  return ({ id, value, onChange }: { id: string; value: unknown; onChange: (value: unknown) => void }) => (
    <Select
      id={id}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={placeholder}
      style={{ width: '100%' }}
      value={(value as string | null | undefined) ?? null}
      onChange={(next) => onChange(next ?? null)}
      options={[...options]}
    />
  );
}

/** 部门: name, where it stands, who leads it. */
export function DeptDialog({ task, onClose }: { task: DeptTask | undefined; onClose: () => void }) {
  const form = useForm(DepartmentForm, {});
  const { reset } = form;
  const open = task !== undefined;
  const depts = useCall(departmentOptions, {}, { enabled: open, staleTime: 0 });
  const people = useCall(dimensionOptions, { params: { name: OWNER_DIMENSION } }, { enabled: open });
  useEffect(() => {
    if (task?.kind === 'add') reset({ parentId: task.parentId, sort: 0, status: 'active' });
    if (task?.kind === 'edit') {
      const { name, parentId, leaderId, sort, status } = task.dept;
      reset({ name, parentId, leaderId, sort, status });
    }
  }, [task, reset]);
  const self = task?.kind === 'edit' ? task.dept.id : undefined;
  return (
    <FormDialog
      title={task?.kind === 'edit' ? '修改部门' : '新增部门'}
      open={open}
      form={form}
      fields={{
        parentId: {
          render: choose(
            (depts.data ?? []).filter((dept) => dept.id !== self).map((dept) => ({ value: dept.id, label: dept.path })),
            '顶级部门',
          ),
        },
        leaderId: {
          help: '负责人按部门的数据权限可见本部门',
          render: choose(
            (people.data ?? []).map((each) => ({ value: each.id, label: each.title })),
            '未指定',
          ),
        },
        sort: { help: '小的在前' },
      }}
      onSubmit={async (body) => {
        const options = { quiet: true, idempotencyKey: uuid() };
        if (task?.kind === 'edit') {
          const { id, version } = task.dept;
          await call(saveDepartment, { params: { id }, body: { ...body, version } }, options);
        } else await call(addDepartment, { body }, options);
        const old = [listDepartments, departmentOptions];
        await Promise.all(old.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}
