import { EllipsisOutlined, SearchOutlined } from '@ant-design/icons';
import { Dropdown, Input, type MenuProps } from 'antd';
import { useState } from 'react';
import type { RoleRow } from '../../contract/roles.ts';

interface Props {
  roles: readonly RoleRow[];
  value: string | undefined;
  onChange: (id: string) => void;
  actions: (role: RoleRow) => MenuProps['items'];
}

/** 角色列表: the roles of the company with how many people hold each. */
export function RoleRail({ roles, value, onChange, actions }: Props) {
  const [word, setWord] = useState('');
  const shown = roles.filter((role) => role.name.toLowerCase().includes(word.trim().toLowerCase()));
  return (
    <nav className="org-rail" aria-label="角色列表">
      <Input
        size="small"
        prefix={<SearchOutlined className="text3" />}
        placeholder="搜索角色"
        aria-label="搜索角色"
        allowClear
        value={word}
        onChange={(event) => setWord(event.target.value)}
      />
      <ul>
        {shown.map((role) => (
          <li key={role.id} className={`org-item${role.id === value ? ' is-on' : ''}`}>
            <button type="button" aria-pressed={role.id === value} onClick={() => onChange(role.id)}>
              <b className="ellipsis">{role.name}</b>
              <span className="text3">
                {role.members} 人 · {role.codes} 项权限
              </span>
            </button>
            <Dropdown menu={{ items: actions(role) ?? [] }} trigger={['click']}>
              <button type="button" className="icon-button is-small" aria-label={`${role.name} 的操作`}>
                <EllipsisOutlined />
              </button>
            </Dropdown>
          </li>
        ))}
      </ul>
    </nav>
  );
}
