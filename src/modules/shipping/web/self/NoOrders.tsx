import { Button } from 'antd';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { OFFLINE_EDIT } from './shared.ts';

/** A document of a platform is made of orders: where none is named they are chosen first. */
export function NoOrders() {
  const tab = useTab();
  const go = (path: string, title: string) => tab.open(path, { title, replace: true });
  return (
    <Empty title="请先选择平台订单" text="自发货单由待建单订单生成；没有平台订单的，新增线下发货单。">
      <Button onClick={() => go(OFFLINE_EDIT, '新增线下发货单')}>新增线下发货单</Button>
      <Button type="primary" onClick={() => go('/erp/warehouse/shipping/waiting', '待建单订单')}>
        去待建单订单
      </Button>
    </Empty>
  );
}
