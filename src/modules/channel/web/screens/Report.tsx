import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { mixedTotal } from '#kit/web/cells/index.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Banner, Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { BindingFilter, BindingRow, countBindings, listBindings } from '../../contract/bindings.ts';
import { EXPORT, IMPORT } from '../../contract/fields.ts';
import {
  exportOrders,
  exportReport,
  missingRates,
  OrderRow,
  ReportFilter,
  ReportRow,
  salesOrders,
  salesReport,
} from '../../contract/report.ts';
import { BindDialog } from '../BindDialog.tsx';
import { useSalesOptions } from '../options.ts';
import { check, commit, template } from '../order-import.ts';
import { refreshSales } from '../refresh.ts';
import { useView, Views } from '../Views.tsx';

const SUMS = ['sales', 'shipFee', 'commission', 'cost', 'margin'] as const;
const SUMMED = Object.fromEntries(SUMS.map((key) => [key, { total: mixedTotal(key) }]));
const MODES = ['currency'];

/** Days of which the rates are missing: what was sold on them stands in no sum. */
function Missing({ filter }: { filter: FilterValue }) {
  const asked = ReportFilter.partial().safeParse(filter);
  const { data } = useCall(
    missingRates,
    { body: { filter: asked.data ?? {} } },
    { enabled: asked.success, keep: true },
  );
  if (!data || data.missing.length === 0) return null;
  return (
    <Banner>
      缺少汇率：{data.missing.slice(0, 3).join('、')}
      {data.missing.length + data.more > 3 && ` 等 ${data.missing.length + data.more} 项`}，未计入合计{' '}
      <TabLink to="/finance/exchangeRate" title="汇率与关账">
        维护汇率
      </TabLink>
    </Banner>
  );
}

/** ERP销售报表: what local products sold at every platform, by product or by order, and which SKU of a shop is which product. */
export default function Report() {
  const [view, setView] = useView();
  const [importing, setImporting] = useState(false);
  const [binding, setBinding] = useState<readonly BindingRow[]>();
  const [defaults] = useState(() => ({ date: lastDays(30), currency: 'CNY' }));
  const options = useSalesOptions();
  const mayImport = useAllowed(IMPORT);
  const mayExport = useAllowed(EXPORT);
  const common = {
    filter: ReportFilter,
    defaults,
    modes: MODES,
    options,
    above: (filter: FilterValue) => <Missing filter={filter} />,
    head: (
      <>
        <Views view={view} onChange={setView} />
        {mayImport && (
          <Button type="primary" onClick={() => setImporting(true)}>
            导入订单
          </Button>
        )}
      </>
    ),
  };
  return (
    <>
      {view === 'products' && (
        <ListScreen
          {...common}
          name="channel/report"
          title="ERP销售报表"
          endpoint={salesReport}
          row={ReportRow}
          columns={SUMMED}
          {...(mayExport ? { exportEndpoint: exportReport } : {})}
          note="按销售日汇率折算；亚马逊的邮费、佣金与毛利见利润报表"
          empty={<Empty title="还没有销售" text="亚马逊订单同步并配对本地SKU后列在这里；其它平台的订单用表格导入。" />}
        />
      )}
      {view === 'orders' && (
        <ListScreen
          {...common}
          name="channel/orders"
          title="ERP销售报表"
          unit="行"
          endpoint={salesOrders}
          row={OrderRow}
          columns={SUMMED}
          {...(mayExport ? { exportEndpoint: exportOrders } : {})}
          note="导入的其它平台订单；亚马逊订单见订单列表"
          empty={<Empty title="还没有其它平台的订单" text="下载模板填好后导入，可重复导入同一文件。" />}
        />
      )}
      {view === 'bindings' && (
        <ListScreen
          name="channel/bindings"
          title="ERP销售报表"
          unit="个平台SKU"
          endpoint={listBindings}
          row={BindingRow}
          filter={BindingFilter}
          options={options}
          tabs={{ field: 'state', counts: countBindings }}
          head={common.head}
          {...(mayImport
            ? {
                actions: (row: BindingRow) => [
                  { label: row.productId ? '改配对' : '配对', onClick: () => setBinding([row]) },
                ],
                batch: [{ label: '配对', onClick: (rows: BindingRow[]) => setBinding(rows), primary: true }],
              }
            : {})}
          note="与本地SKU同名的自动配对；亚马逊的SKU在「SKU配对」里配对"
          empty={<Empty title="还没有平台SKU" text="导入其它平台的订单后，其中的SKU列在这里。" />}
        />
      )}
      {binding && <BindDialog rows={binding} onClose={() => setBinding(undefined)} />}
      <ImportDialog
        title="导入平台订单"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={refreshSales}
        accept=".xlsx"
      >
        <p className="label">平台、店铺、订单号、行号相同的更新，没有变化的不重复写入；文件里没有的行保留。</p>
      </ImportDialog>
    </>
  );
}
