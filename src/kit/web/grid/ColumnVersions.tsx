import { EllipsisOutlined, LockOutlined, TeamOutlined } from '@ant-design/icons';
import { App, Button, Dropdown, Input, Popover, Select, type SelectProps } from 'antd';
import { useState } from 'react';
import type { SavedVersion } from '../ports.ts';
import type { ColumnsControl } from './use-columns.ts';

const NAME_LIMIT = 30;
const DEFAULT = '';

function SaveAs({ control }: { control: ColumnsControl }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const save = () => {
    if (!name.trim()) return;
    void control.saveAs(name.trim()).then(() => {
      setOpen(false);
      setName('');
    });
  };
  const form = (
    <div className="columns-save-as">
      <Input
        autoFocus
        placeholder="方案名称"
        aria-label="方案名称"
        maxLength={NAME_LIMIT}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={save}
      />
      <Button type="primary" disabled={!name.trim()} loading={control.busy} onClick={save}>
        保存
      </Button>
    </div>
  );
  return (
    <Popover content={form} trigger="click" open={open} onOpenChange={setOpen} placement="bottomRight" destroyOnHidden>
      <Button>另存为</Button>
    </Popover>
  );
}

function Label({ version }: { version: SavedVersion }) {
  const { name, isShared, isEditable, isMine, ownerName } = version;
  return (
    <span className="columns-version">
      <span className="columns-version-name">{name}</span>
      {isShared && (
        <span className="text3">
          {isEditable ? <TeamOutlined aria-label="共享" /> : <LockOutlined aria-label="只读" />}
          {isMine ? '' : ` ${ownerName ?? ''}`}
        </span>
      )}
    </span>
  );
}

function optionsOf(versions: readonly SavedVersion[]): NonNullable<SelectProps<string>['options']> {
  const option = (version: SavedVersion) => ({ value: version.id, label: <Label version={version} /> });
  const mine = versions.filter((version) => version.isMine).map(option);
  const lent = versions.filter((version) => !version.isMine).map(option);
  const own = { value: DEFAULT, label: '默认' };
  if (lent.length === 0) return [own, ...mine];
  return [own, { label: '我的方案', options: mine }, { label: '公司共享', options: lent }];
}

/** The named versions of a list's columns, own and lent: choose, save under a new name, lend, delete. */
export function ColumnVersions({ control }: { control: ColumnsControl }) {
  const { modal } = App.useApp();
  const { versions, used } = control;
  const remove = () => {
    if (!used) return;
    modal.confirm({
      title: `删除列方案「${used.name}」？`,
      content: used.isShared
        ? '方案已共享给公司：删除后正在使用它的成员都恢复为默认的列。'
        : '删除后列表恢复为默认的列，其他方案不受影响。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => control.remove(used),
    });
  };
  const items = [
    {
      key: 'share',
      label: used?.isShared ? '取消共享' : '共享给公司',
      disabled: !used?.isEditable,
      onClick: () => used && void control.share(used, !used.isShared),
    },
    { key: 'remove', label: '删除当前方案', danger: true, disabled: !used?.isEditable, onClick: remove },
  ];
  return (
    <div className="columns-versions">
      <Select
        prefix={<span className="filter-label">方案</span>}
        aria-label="列方案"
        options={optionsOf(versions)}
        value={used?.id ?? DEFAULT}
        onChange={(id: string) => void control.choose(versions.find((each) => each.id === id) ?? null)}
      />
      <SaveAs control={control} />
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
        <Button icon={<EllipsisOutlined />} aria-label="更多" />
      </Dropdown>
    </div>
  );
}
