import { EllipsisOutlined } from '@ant-design/icons';
import { App, Button, Dropdown, Input, Popover, Select } from 'antd';
import { useState } from 'react';
import type { ColumnsControl } from './use-columns.ts';

const NAME_LIMIT = 30;

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

/** The named versions of a list's columns: choose, save under a new name, delete. */
export function ColumnVersions({ control }: { control: ColumnsControl }) {
  const { modal } = App.useApp();
  const { versions, used } = control;
  const remove = () => {
    if (!used) return;
    modal.confirm({
      title: `删除列方案「${used.name}」？`,
      content: '删除后列表恢复为默认的列，其他方案不受影响。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => control.remove(used),
    });
  };
  return (
    <div className="columns-versions">
      <Select
        prefix={<span className="filter-label">方案</span>}
        aria-label="列方案"
        placeholder="默认"
        options={versions.map((version) => ({ value: version.id, label: version.name }))}
        value={used?.id ?? null}
        onChange={(id: string | null) => {
          const version = versions.find((each) => each.id === id);
          if (version) void control.choose(version);
        }}
      />
      <SaveAs control={control} />
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items: [{ key: 'remove', label: '删除当前方案', danger: true, disabled: !used, onClick: remove }] }}
      >
        <Button icon={<EllipsisOutlined />} aria-label="更多" />
      </Dropdown>
    </div>
  );
}
