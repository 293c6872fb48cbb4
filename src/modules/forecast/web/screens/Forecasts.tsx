import { Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT, EXPORT, ForecastFilter, RUN } from '../../contract/fields.ts';
import {
  countForecasts,
  exportForecasts,
  ForecastRow,
  forecastState,
  listForecasts,
  runForecast,
} from '../../contract/forecast.ts';
import { clearOverrides } from '../../contract/overrides.ts';
import { CareDialog } from '../CareDialog.tsx';
import { ForecastDrawer } from '../ForecastDrawer.tsx';
import { OverrideDialog } from '../OverrideDialog.tsx';
import { check, commit, template } from '../override-import.ts';
import { REFRESHES, refreshForecasts } from '../refresh.ts';

const UNCHANGED = '没有干预';

/** When forecasts were made, and the button that has them made anew. */
function Freshness() {
  const { data } = useCall(forecastState, {}, { every: 15_000 });
  const mayRun = useAllowed(RUN);
  const run = useSend(runForecast, {
    refreshes: [forecastState],
    onSuccess: () => notice.success('已开始重新计算，完成后自动更新'),
  });
  return (
    <>
      {data?.asOf && (
        <span className="label">
          计算于 <When at={data.asOf} />
        </span>
      )}
      {mayRun && (
        <Button loading={run.isPending || data?.running === true} onClick={() => run.mutate({ body: {} })}>
          {data?.running ? '计算中' : '重新计算'}
        </Button>
      )}
    </>
  );
}

/** 销售预测: what each SKU of a stock is expected to sell, and what people changed about it. */
export default function Forecasts() {
  const sites = useSiteOptions();
  const mayEdit = useAllowed(EDIT);
  const mayExport = useAllowed(EXPORT);
  const [open, setOpen] = useState<string>();
  const [changing, setChanging] = useState<readonly ForecastRow[]>();
  const [importing, setImporting] = useState(false);
  const [caring, setCaring] = useState<readonly ForecastRow[]>();
  const clear = useSend(clearOverrides, {
    refreshes: REFRESHES,
    onSuccess: ({ cleared }) => notice.success(`已撤销 ${cleared} 项干预`),
  });
  const batch = [
    { label: '干预', onClick: setChanging },
    {
      label: '清空干预',
      unfit: (row: ForecastRow) => (row.overridden ? undefined : UNCHANGED),
      onClick: (rows: ForecastRow[]) => clear.mutate({ body: { ids: rows.map(({ id }) => id) } }),
    },
    { label: '模型与参考品', onClick: setCaring },
  ];
  return (
    <>
      <ListScreen
        name="forecast/forecasts"
        title="销售预测"
        unit="个商品"
        endpoint={listForecasts}
        row={ForecastRow}
        filter={ForecastFilter}
        options={{ sites }}
        tabs={{ field: 'tab', counts: countForecasts }}
        current={open}
        onOpen={({ id }) => setOpen(id)}
        head={
          <>
            <Freshness />
            {mayEdit && <Button onClick={() => setImporting(true)}>导入干预</Button>}
          </>
        }
        {...(mayEdit ? { batch } : {})}
        {...(mayExport ? { exportEndpoint: exportForecasts } : {})}
        note="按站点日；断货日不计入需求；预测含人工干预"
        empty={
          <Empty title="还没有预测" text="有订单之后每天凌晨计算一次，也可以立即重新计算。">
            <TabLink to="/amazon/sale/order/list" title="订单列表">
              订单列表
            </TabLink>
          </Empty>
        }
      />
      <ForecastDrawer id={open} onClose={() => setOpen(undefined)} onChange={(row) => setChanging([row])} />
      <ImportDialog<FileCheck>
        title="导入预测干预"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshForecasts()}
        accept=".xlsx"
        note="开始填月份（如 2026-12）即整月；全部通过才会写入，与已有干预相同的行不会重复写入。"
      />
      {changing && <OverrideDialog rows={changing} onClose={() => setChanging(undefined)} />}
      {caring && <CareDialog rows={caring} onClose={() => setCaring(undefined)} />}
    </>
  );
}
