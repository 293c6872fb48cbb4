import { Empty } from '#kit/web/states/index.ts';
import { Shipments } from '../shipment/Shipments.tsx';

/** 货件跟踪: all shipments that Amazon has, whoever made them. */
export default function ShipmentList() {
  return (
    <Shipments
      title="货件跟踪"
      empty={
        <Empty
          title="还没有货件"
          text="授权店铺后每半小时同步亚马逊的货件；发货单填写货件编号后，接收数量会自动登记。"
        />
      }
    />
  );
}
