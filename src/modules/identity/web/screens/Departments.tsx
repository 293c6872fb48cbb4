import '../organisation/organisation.css';
import { PlusOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Person, State } from '#kit/web/cells/index.ts';
import { type RowAction, RowActions } from '#kit/web/grid/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import {
  type Department,
  DeptStatus,
  departmentOptions,
  listDepartments,
  removeDepartment,
} from '../../contract/departments.ts';
import { DeptDialog, type DeptTask } from '../organisation/DeptDialog.tsx';
import { TreeCell, useFolds } from '../organisation/tree-table.tsx';

/** 部门: the company's tree of departments with their leaders and heads. */
export default function Departments() {
  const [task, setTask] = useState<DeptTask>();
  const { data, isError, error, refetch } = useCall(listDepartments, {}, { staleTime: 0 });
  const folds = useFolds(data ?? [], (row) => ({ id: row.id, parent: row.parentId }));
  const mayAdd = useAllowed('sys:dept:add');
  const mayEdit = useAllowed('sys:dept:edit');
  const mayDelete = useAllowed('sys:dept:delete');
  const remove = useSend(removeDepartment, {
    refreshes: [listDepartments, departmentOptions],
    onSuccess: () => notice.success('部门已删除'),
  });
  const add = (parentId: string | null) => setTask({ kind: 'add', parentId });
  const actions = (dept: Department): RowAction[] => [
    ...(mayEdit ? [{ label: '修改', onClick: () => setTask({ kind: 'edit', dept }) }] : []),
    ...(mayAdd ? [{ label: '新增下级', onClick: () => add(dept.id) }] : []),
    ...(mayDelete
      ? [
          {
            label: '删除',
            danger: true,
            blocked: dept.members > 0 || folds.isParent(dept.id) ? '该部门下存在用户或子部门' : undefined,
            onClick: () =>
              Modal.confirm({
                title: `删除部门「${dept.name}」`,
                content: '删除后不能恢复。',
                okText: '删除',
                okButtonProps: { danger: true },
                onOk: () => remove.mutateAsync({ params: { id: dept.id } }),
              }),
          },
        ]
      : []),
  ];
  return (
    <div className="page-list">
      <ListHead title="部门" tabs={<span className="label">{data ? `${data.length} 个部门` : ''}</span>}>
        <Allowed code="sys:dept:add">
          <Button type="primary" icon={<PlusOutlined />} onClick={() => add(null)}>
            新增部门
          </Button>
        </Allowed>
      </ListHead>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Empty
          title="还没有部门"
          text="部门用于组织人员，也决定「本部门」「本部门及下级」的数据权限。"
          {...(mayAdd
            ? { steps: [{ title: '新增第一个部门', action: { label: '新增部门', onClick: () => add(null) } }] }
            : {})}
        />
      )}
      {data && data.length > 0 && (
        <div className="line-table org-table">
          <table aria-label="部门">
            <thead>
              <tr>
                <th>部门名称</th>
                <th>负责人</th>
                <th>状态</th>
                <th className="is-right">人数</th>
                <th className="is-right">含下级人数</th>
                <th className="is-right">显示排序</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {folds.shown.map((dept) => (
                <tr key={dept.id}>
                  <td>
                    <TreeCell id={dept.id} folds={folds}>
                      {dept.name}
                    </TreeCell>
                  </td>
                  <td>
                    <Person name={dept.leader} />
                  </td>
                  <td>
                    <State value={dept.status} states={DeptStatus.meta()?.states} />
                  </td>
                  <td className="is-right num">{dept.members}</td>
                  <td className="is-right num">{dept.membersBelow}</td>
                  <td className="is-right num">{dept.sort}</td>
                  <td>
                    <RowActions actions={actions(dept)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <DeptDialog task={task} onClose={() => setTask(undefined)} />
    </div>
  );
}
