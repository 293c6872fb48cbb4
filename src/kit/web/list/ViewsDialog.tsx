import { App, Button, Modal } from 'antd';
import { useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { notice } from '../notice.tsx';
import type { SavedView } from '../ports.ts';
import type { ViewsControl } from './use-views.ts';
import { ViewDialog } from './ViewDialog.tsx';

const said = (work: Promise<unknown>) => work.catch((error: unknown) => void notice.error(messageOf(error)));

interface RowProps {
  control: ViewsControl;
  view: SavedView;
  onOpen: () => void;
  onEdit: () => void;
}

function Row({ control, view, onOpen, onEdit }: RowProps) {
  const { modal } = App.useApp();
  const remove = () =>
    modal.confirm({
      title: `删除视图「${view.name}」？`,
      content: view.isShared ? '视图已共享：删除后同事也不能再打开它。' : '只删除这组筛选条件，数据不受影响。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => said(control.remove(view)),
    });
  const of = view.isMine ? (view.isShared ? '已共享' : '') : `${view.ownerName ?? ''} 共享`;
  return (
    <li className="views-row">
      <Button type="link" className="view-name" onClick={onOpen}>
        {view.name}
      </Button>
      <span className="text3">{of}</span>
      <span className="spring" />
      <Button type="text" onClick={() => void said(control.setDefault(view, !view.isDefault))}>
        {view.isDefault ? '取消默认' : '设为默认'}
      </Button>
      {view.isMine && (
        <>
          <Button type="text" onClick={onEdit}>
            修改
          </Button>
          <Button type="text" danger onClick={remove}>
            删除
          </Button>
        </>
      )}
    </li>
  );
}

/** 管理视图: which one the list opens with, names, sharing, deleting. */
export function ViewsDialog({ control, onClose }: { control: ViewsControl; onClose: () => void }) {
  const [edited, setEdited] = useState<SavedView>();
  return (
    <>
      <Modal title="管理视图" open width={560} footer={null} onCancel={onClose}>
        <ul className="views-list">
          {control.views.map((view) => (
            <Row
              key={view.id}
              control={control}
              view={view}
              onOpen={() => {
                control.open(view);
                onClose();
              }}
              onEdit={() => setEdited(view)}
            />
          ))}
        </ul>
        <p className="label">设为默认的视图在打开列表时自动使用，只对您本人生效。</p>
      </Modal>
      {edited && <ViewDialog control={control} view={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
