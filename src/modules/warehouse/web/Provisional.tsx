import { useCall } from '#kit/web/api/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { readStockSetting } from '../contract/costs.ts';

/** Says that costs of open months are provisional, where the company prices its issues at the end of the month. */
export function Provisional() {
  const { data } = useCall(readStockSetting, {}, { staleTime: 60_000 });
  if (data?.valuationNow !== 'MONTHLY') return null;
  return (
    <p className="warehouse-provisional">
      计价方法为月末加权平均：未关账月份的出库成本按先进先出暂估，关账时结转为月末单价。
      <TabLink to="/erp/inventory/setting" title="库存账期与设置">
        库存账期
      </TabLink>
    </p>
  );
}
