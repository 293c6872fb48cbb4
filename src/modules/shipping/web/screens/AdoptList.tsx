import { Empty } from '#kit/web/states/index.ts';
import { Shipments } from '../shipment/Shipments.tsx';

/** 同步货件: shipments that were made in Seller Central and belong to no ship order yet. */
export default function AdoptList() {
  return (
    <Shipments
      title="同步货件"
      orphans
      empty={
        <Empty title="没有未关联的货件" text="在卖家后台创建、没有发货单的货件会出现在这里，可以生成发货单或忽略。" />
      }
    />
  );
}
