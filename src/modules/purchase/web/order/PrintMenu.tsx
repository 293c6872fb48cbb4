import { PrinterOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { download } from '#kit/web/api/index.ts';
import type { OrderHead } from '../../contract/order.ts';
import { printOrder } from '../../contract/order-calls.ts';

/** The order on paper: the contract once it is approved, the keeper's sheet at any time. */
export function PrintMenu({ order, prices }: { order: OrderHead | undefined; prices: boolean }) {
  if (!order) return null;
  const print = (paper: 'contract' | 'sheet') =>
    void download(printOrder, { params: { id: order.id }, query: { paper } }).catch(() => undefined);
  const agreed = ['approved', 'ordered', 'closed'].includes(order.state);
  return (
    <Dropdown
      menu={{
        items: [
          { key: 'contract', label: '采购合同', disabled: !agreed || !prices, onClick: () => print('contract') },
          { key: 'sheet', label: '采购到货单', onClick: () => print('sheet') },
        ],
      }}
    >
      <Button icon={<PrinterOutlined />}>打印</Button>
    </Dropdown>
  );
}
