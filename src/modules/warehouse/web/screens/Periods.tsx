import '../warehouse.css';
import { Button } from 'antd';
import { metaOf } from '#kit/contract/columns.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Card, CardsPage } from '#kit/web/cards/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  PERIOD_STATES,
  PERIODS,
  PeriodRow,
  readStockSetting,
  StockSetting,
  type StockSettingNow,
  saveStockSetting,
  Valuation,
} from '../../contract/costs.ts';
import { Closing, failureOf } from '../MonthEnd.tsx';
import { isClosing, useChangePeriod, usePeriods } from '../periods.ts';

/** When the chosen method holds. */
function valuationHelp({ valuationNow, valuationFrom }: StockSettingNow): string {
  const { states } = metaOf(Valuation);
  const now = states?.[valuationNow]?.title ?? '';
  if (valuationFrom) return `${valuationFrom} 起生效，此前按${now}`;
  if (valuationNow === 'MONTHLY') return '关账前出库成本按先进先出暂估，关账时按当月加权单价结转；账期须逐月关闭';
  return '本月已有出入库时，下月 1 日起生效；已出库成本不变';
}

function Setting({ setting }: { setting: StockSettingNow }) {
  const disabled = !useAllowed(PERIODS);
  const form = useForm(StockSetting, StockSetting.parse(setting));
  const send = useSend(saveStockSetting, {
    refreshes: [readStockSetting],
    onSuccess: () => notice.success('库存设置已保存'),
  });
  const save = async () => {
    const values = form.check();
    if (values) await send.mutateAsync({ body: values }).then(() => form.reset(values), form.refuse);
  };
  return (
    <>
      <SchemaForm
        form={form}
        columns={1}
        fields={{
          valuation: { disabled, help: valuationHelp(setting) },
          fifoBy: { disabled, help: '出库从最早的成本层取' },
          backdateDays: { disabled, help: '单据最多可补录到几天前' },
          shelfLifeDays: { disabled, help: '发往平台时，剩余效期更短的批次不参与分配' },
        }}
      />
      <Allowed code={PERIODS}>
        <Button type="primary" loading={send.isPending} onClick={() => void save()}>
          保存
        </Button>
      </Allowed>
    </>
  );
}

/** 库存账期与设置: months that take no more postings, and how stock is kept. */
export default function Periods() {
  const setting = useCall(readStockSetting, {}, { staleTime: 0 });
  const periods = usePeriods();
  const mayClose = useAllowed(PERIODS);
  const change = useChangePeriod();
  const failed = setting.isError ? setting : periods.isError ? periods : undefined;
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <CardsPage>
      <Card title="库存设置">{setting.data && <Setting setting={setting.data} />}</Card>
      <Card title="库存账期" span={8}>
        <LineTable
          label="库存账期"
          row={PeriodRow}
          rows={periods.data ?? []}
          rowId={(row) => row.month}
          none="还没有过账"
          columns={{
            state: {
              render: (row) => (
                <span className="warehouse-pair">
                  {row.task && isClosing(row) ? (
                    <Closing month={row.month} task={row.task} onChange={() => void periods.refetch()} />
                  ) : (
                    <>
                      <Tag {...PERIOD_STATES[row.state]} />
                      {mayClose && row.over && (
                        <Button size="small" title={failureOf(row)} onClick={() => change(row)}>
                          {row.state === 'OPEN' ? '关账' : '反关账'}
                        </Button>
                      )}
                    </>
                  )}
                </span>
              ),
              text: (row) => PERIOD_STATES[row.state].title,
            },
            restated: {
              render: (row) =>
                row.restated === null ? (
                  '—'
                ) : (
                  <TabLink to="/erp/inventory/period/costs" title="月末加权结转" query={{ 'f.month': row.month }}>
                    {formatMoney(row.restated, 'CNY')}
                  </TabLink>
                ),
              text: (row) => row.restated ?? '',
            },
          }}
        />
      </Card>
    </CardsPage>
  );
}
