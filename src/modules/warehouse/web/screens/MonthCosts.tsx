import { lastDayOf } from '#kit/contract/day.ts';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { exportMonthCosts, listMonthCosts, MonthCostFilter, MonthCostRow } from '../../contract/month-costs.ts';
import { EntriesLink, type EntriesOf } from '../links.tsx';
import { MonthEnd } from '../MonthEnd.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

/** The entries of the month that a row was made of. */
function entriesOf({ month, product, warehouseId }: MonthCostRow): EntriesOf {
  return { sku: product.code, warehouses: [warehouseId], period: { from: `${month}-01`, to: lastDayOf(month) } };
}

const COLUMNS: ColumnOverrides<MonthCostRow> = {
  issuedQty: {
    render: (row) => <EntriesLink of={entriesOf(row)}>{formatInteger(row.issuedQty)}</EntriesLink>,
    text: (row) => String(row.issuedQty),
  },
  issuedAmount: {
    render: (row) => <EntriesLink of={entriesOf(row)}>{formatMoney(row.issuedAmount, 'CNY')}</EntriesLink>,
    text: (row) => row.issuedAmount,
  },
};

/** 月末加权结转: the price of each product, warehouse and month, and what it changed in the cost of issues. */
export default function MonthCosts() {
  const mayExport = useAllowed('erp:inv:export');
  const warehouses = useWarehouseOptions();
  return (
    <ListScreen
      name="warehouse/monthCosts"
      title="月末加权结转"
      unit="行"
      endpoint={listMonthCosts}
      {...(mayExport ? { exportEndpoint: exportMonthCosts } : {})}
      row={MonthCostRow}
      filter={MonthCostFilter}
      options={{ warehouses }}
      columns={COLUMNS}
      above={() => <MonthEnd />}
      empty={
        <Empty
          title="还没有结转"
          text="计价方法选择「月末加权平均」后，关闭账期时按当月加权单价结转出库成本，结果列在这里。"
        >
          <MonthEnd />
          <TabLink to="/erp/inventory/setting" title="库存账期与设置">
            去库存账期
          </TabLink>
        </Empty>
      }
      note="出库成本 + 期末金额 = 期初与入库金额，分毫不差"
    />
  );
}
