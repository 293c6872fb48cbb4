import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Quantity, States, Text } from '#kit/contract/field.ts';

export const DeptStatus = States({
  active: { title: '正常', tone: 'done' },
  disabled: { title: '停用', tone: 'off' },
});

export const Department = z.object({
  id: Id,
  parentId: Id.nullable(),
  name: z.string().meta({ title: '部门名称', width: 260 }),
  leaderId: Id.nullable(),
  leader: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 140 }),
  status: DeptStatus.meta({ width: 90 }),
  sort: z.int().meta({ title: '显示排序', kind: 'integer', width: 90 }),
  members: Quantity.meta({ title: '人数', width: 80, tip: '直接属于该部门的正常账号' }),
  membersBelow: Quantity.meta({ title: '含下级人数', width: 100 }),
  version: z.int(),
});
export type Department = z.infer<typeof Department>;

export interface DepartmentNode extends Department {
  children: DepartmentNode[];
}

export const DepartmentNode: z.ZodType<DepartmentNode> = Department.extend({
  get children() {
    return z.array(DepartmentNode);
  },
});

const base = '/admin/api/v1/depts';

/** All departments, parents before children. */
export const listDepartments = endpoint({
  title: '部门列表',
  method: 'GET',
  path: base,
  permission: 'sys:dept:view',
  reply: z.array(Department),
});

export const departmentTree = endpoint({
  title: '部门树',
  method: 'GET',
  path: `${base}/table`,
  permission: 'sys:dept:view',
  reply: z.array(DepartmentNode),
});

/** Departments to choose from, with the path to each. */
export const departmentOptions = endpoint({
  title: '部门选项',
  method: 'GET',
  path: `${base}/select`,
  permission: 'login',
  reply: z.array(z.object({ id: Id, parentId: Id.nullable(), name: z.string(), path: z.string() })),
});

export const DepartmentForm = z.object({
  name: Text(50, '部门名称'),
  parentId: Id.nullable().optional().meta({ title: '上级部门', hidden: false }),
  leaderId: Id.nullable().optional().meta({ title: '负责人', hidden: false }),
  sort: z.int().min(0).max(9999).default(0).meta({ title: '显示排序', kind: 'integer' }),
  status: DeptStatus.default('active').meta({ title: '状态' }),
});
export type DepartmentForm = z.infer<typeof DepartmentForm>;

export const addDepartment = endpoint({
  title: '新增部门',
  method: 'POST',
  path: base,
  permission: 'sys:dept:add',
  body: DepartmentForm,
  reply: Id,
});

/** Also moves it: a department cannot come to stand below itself. `version` as it was read, else 409. */
export const saveDepartment = endpoint({
  title: '修改部门',
  method: 'PUT',
  path: `${base}/:id`,
  permission: 'sys:dept:edit',
  params: z.object({ id: Id }),
  body: DepartmentForm.partial().extend({ version: z.int().min(0) }),
  reply: z.literal('success'),
});

export const removeDepartment = endpoint({
  title: '删除部门',
  method: 'DELETE',
  path: `${base}/:id`,
  permission: 'sys:dept:delete',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});
