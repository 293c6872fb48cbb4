import { CheckOutlined, MinusOutlined } from '@ant-design/icons';
import { Modal, Select, Switch } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { type CatalogueNode, type RoleRow, rolePermissions } from '../../contract/roles.ts';
import { difference, groupsOf } from './rights.ts';

interface Props {
  roles: readonly RoleRow[];
  tree: readonly CatalogueNode[];
  /** The role that is compared first; undefined: closed. */
  first: string | undefined;
  onClose: () => void;
}

function useCodes(id: string | undefined): ReadonlySet<string> | undefined {
  const { data } = useCall(rolePermissions, { params: { id: id ?? '' } }, { enabled: id !== undefined, staleTime: 0 });
  return data && new Set(data.codes);
}

const Mark = ({ on }: { on: boolean }) =>
  on ? <CheckOutlined className="success" aria-label="有" /> : <MinusOutlined className="text3" aria-label="无" />;

/** 权限对比: two roles side by side, by default only where they differ. */
export function CompareDialog({ roles, tree, first, onClose }: Props) {
  const [other, setOther] = useState<string>();
  const [all, setAll] = useState(false);
  const left = useCodes(first);
  const right = useCodes(first === undefined ? undefined : other);
  const name = (id: string | undefined) => roles.find((role) => role.id === id)?.name ?? '';
  const found = left && right ? difference(left, right) : undefined;
  const rows = found
    ? groupsOf(tree).flatMap((group) =>
        group.codes
          .filter((each) => all || left?.has(each.code) !== right?.has(each.code))
          .map((each) => ({ ...each, group: group.title })),
      )
    : [];
  return (
    <Modal title="权限对比" open={first !== undefined} width={860} footer={null} onCancel={onClose}>
      <div className="scope-search" style={{ marginBottom: 12 }}>
        <b>{name(first)}</b>
        <span className="text3">对比</span>
        <Select
          style={{ width: 220 }}
          placeholder="选择另一个角色"
          aria-label="另一个角色"
          value={other ?? null}
          onChange={setOther}
          options={roles.filter((role) => role.id !== first).map((role) => ({ value: role.id, label: role.name }))}
        />
        <span className="spring" />
        {found && (
          <span className="label">
            相同 {found.both.length}，仅前者 {found.left.length}，仅后者 {found.right.length}
          </span>
        )}
        <Switch size="small" checked={all} onChange={setAll} aria-label="显示全部" />
        <span className="label">显示全部</span>
      </div>
      <div className="line-table is-dense" style={{ maxHeight: 460 }}>
        <table aria-label="权限对比">
          <thead>
            <tr>
              <th>页面</th>
              <th>权限</th>
              <th>{name(first)}</th>
              <th>{name(other) || '—'}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.code}>
                <td>{row.group}</td>
                <td title={row.code}>{row.field ? `字段：${row.title}` : row.title}</td>
                <td>
                  <Mark on={left?.has(row.code) ?? false} />
                </td>
                <td>
                  <Mark on={right?.has(row.code) ?? false} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && (
          <div className="line-table-none">{found ? '两个角色的权限相同' : '请选择另一个角色'}</div>
        )}
      </div>
    </Modal>
  );
}
