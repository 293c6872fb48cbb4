import { BookOutlined, DownOutlined, TeamOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps } from 'antd';
import { useId, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { useMenuFocus } from '../keys.ts';
import { notice } from '../notice.tsx';
import type { SavedView } from '../ports.ts';
import type { ViewsControl } from './use-views.ts';
import { ViewDialog } from './ViewDialog.tsx';
import { ViewsDialog } from './ViewsDialog.tsx';

type Asking = 'save' | 'manage' | undefined;

function Label({ view }: { view: SavedView }) {
  return (
    <span className="view-label">
      <span className="view-name">{view.name}</span>
      <span className="text3">
        {view.isDefault && '默认 '}
        {view.isShared && <TeamOutlined aria-label="共享" />}
        {view.ownerName && ` ${view.ownerName}`}
      </span>
    </span>
  );
}

function itemsOf(control: ViewsControl, ask: (what: Asking) => void): NonNullable<MenuProps['items']> {
  const { views, current, changed } = control;
  const item = (view: SavedView) => ({
    key: view.id,
    label: <Label view={view} />,
    onClick: () => control.open(view),
  });
  const group = (title: string, of: readonly SavedView[]) =>
    of.length === 0 ? [] : [{ key: title, type: 'group' as const, label: title, children: of.map(item) }];
  const update = (view: SavedView) => ({
    key: 'update',
    label: `更新「${view.name}」`,
    onClick: () => {
      // What was relative stays so, unless its days were changed.
      const days = Object.fromEntries(
        Object.entries(view.content.days).filter(([key]) => control.keepsDays(view, key)),
      );
      control
        .change(view, { content: control.content(days) }, `视图「${view.name}」已更新`)
        .catch((error: unknown) => notice.error(messageOf(error)));
    },
  });
  return [
    ...group(
      '我的视图',
      views.filter((view) => view.isMine),
    ),
    ...group(
      '公司共享',
      views.filter((view) => !view.isMine),
    ),
    ...(views.length > 0 ? [{ type: 'divider' as const }] : []),
    ...(changed && current?.isMine ? [update(current)] : []),
    { key: 'save', label: '保存当前筛选…', onClick: () => ask('save') },
    ...(views.length > 0 ? [{ key: 'manage', label: '管理视图…', onClick: () => ask('manage') }] : []),
  ];
}

/** 「视图」 of a list: opens a saved view, keeps what is shown now as one, and leads to where they are managed. */
export function ViewMenu({ control }: { control: ViewsControl }) {
  const [asking, setAsking] = useState<Asking>();
  const [open, setOpen] = useState(false);
  const { current, changed, loading } = control;
  const menu = `view-menu-${useId()}`;
  // Not before the views are there: the focus would land on what they push down.
  useMenuFocus(open && !loading, menu);
  const close = () => setAsking(undefined);
  return (
    <>
      <Dropdown
        trigger={['click']}
        open={open}
        onOpenChange={setOpen}
        menu={{
          className: `view-menu ${menu}`,
          items: itemsOf(control, setAsking),
          selectedKeys: current && !changed ? [current.id] : [],
        }}
      >
        <button type="button" className="tool view-tool" aria-busy={loading}>
          <BookOutlined />
          <span className="view-name">视图{current && ` · ${current.name}`}</span>
          {changed && <i className="tool-changed" title="筛选与视图不同" />}
          <DownOutlined className="tool-arrow" />
        </button>
      </Dropdown>
      {asking === 'save' && <ViewDialog control={control} onClose={close} />}
      {asking === 'manage' && <ViewsDialog control={control} onClose={close} />}
    </>
  );
}
