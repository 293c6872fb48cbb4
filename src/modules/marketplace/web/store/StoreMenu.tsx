import { MoreOutlined } from '@ant-design/icons';
import { App, Button, Dropdown } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { bindSeller, deleteStore, listStores, type StoreForm, type StoreRow } from '../../contract/stores.ts';

type Opens =
  | { kind: 'sort' }
  | { kind: 'renew'; authids: readonly string[] }
  | { kind: 'edit'; store: StoreForm & { id: string } };

interface Props {
  stores: readonly StoreRow[];
  /** The store that the list shows; undefined for all. */
  chosen: string | undefined;
  /** Accounts in the list whose consent ends or has ended. */
  soon: readonly string[];
  onDialog: (dialog: Opens) => void;
  /** The chosen store was deleted. */
  onGone: () => void;
}

/** What can be done with stores besides authorising them: links in bulk, order, the chosen one's papers and end. */
export function StoreMenu({ stores, chosen, soon, onDialog, onGone }: Props) {
  const { modal } = App.useApp();
  const mayEdit = useAllowed('amz:store:edit');
  const mayDelete = useAllowed('amz:store:delete');
  const mayRenew = useAllowed('amz:store:authorize');
  const papers = useCall(listStores, {}, { enabled: mayEdit });
  const remove = useSend(deleteStore, {
    refreshes: [bindSeller, listStores],
    onSuccess: () => {
      notice.success('店铺已删除');
      onGone();
    },
  });
  const store = papers.data?.find((one) => one.id === chosen);
  const drop = () =>
    store &&
    modal.confirm({
      title: `删除店铺「${store.name}」`,
      content: '店铺下的授权须先停用；删除后不再出现在列表和筛选中，已入库的数据保留。',
      okText: '删除店铺',
      okButtonProps: { danger: true },
      cancelText: '取消',
      onOk: () => remove.mutateAsync({ params: { id: store.id } }),
    });
  const items = [
    ...(mayRenew
      ? [
          {
            key: 'renew',
            label: `批量续期链接${soon.length > 0 ? `（${soon.length}）` : ''}`,
            disabled: soon.length === 0,
            onClick: () => onDialog({ kind: 'renew', authids: soon }),
          },
        ]
      : []),
    ...(mayEdit
      ? [
          {
            key: 'sort',
            label: '店铺排序',
            disabled: stores.length < 2,
            onClick: () => onDialog({ kind: 'sort' }),
          },
          {
            key: 'edit',
            label: '编辑店铺',
            disabled: !store,
            onClick: () => {
              if (!store) return;
              const { createdAt: _, ...form } = store;
              onDialog({ kind: 'edit', store: form });
            },
          },
        ]
      : []),
    ...(mayDelete ? [{ key: 'drop', label: '删除店铺', danger: true, disabled: !store, onClick: drop }] : []),
  ];
  if (items.length === 0) return null;
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button icon={<MoreOutlined />} aria-label="更多" title={chosen ? '更多' : '在左侧选择店铺后可以编辑和删除'} />
    </Dropdown>
  );
}
