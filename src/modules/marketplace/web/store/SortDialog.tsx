import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { bindSeller, listStores, type StoreRow, sortStores } from '../../contract/stores.ts';

/** 店铺排序: the order in which lists and pickers show the stores. */
export function SortDialog({ stores, onClose }: { stores: readonly StoreRow[]; onClose: () => void }) {
  const [order, setOrder] = useState(() => [...stores]);
  const send = useSend(sortStores, { refreshes: [bindSeller, listStores], onSuccess: onClose });
  const move = (from: number, to: number) => {
    const next = [...order];
    const [taken] = next.splice(from, 1);
    if (taken) next.splice(to, 0, taken);
    setOrder(next);
  };
  return (
    <Modal
      open
      width={480}
      title="店铺排序"
      okText="保存排序"
      cancelText="取消"
      confirmLoading={send.isPending}
      onCancel={onClose}
      onOk={() => send.mutate({ body: { ids: order.map((store) => store.groupid) } })}
    >
      <ol className="store-order">
        {order.map((store, place) => (
          <li key={store.groupid}>
            <span className="text3 num">{place + 1}</span>
            <span className="ellipsis">{store.gname}</span>
            <button
              type="button"
              className="icon-button is-small"
              aria-label={`${store.gname} 上移`}
              disabled={place === 0}
              onClick={() => move(place, place - 1)}
            >
              <ArrowUpOutlined />
            </button>
            <button
              type="button"
              className="icon-button is-small"
              aria-label={`${store.gname} 下移`}
              disabled={place === order.length - 1}
              onClick={() => move(place, place + 1)}
            >
              <ArrowDownOutlined />
            </button>
          </li>
        ))}
      </ol>
    </Modal>
  );
}
