import '../warehouse.css';
import { Button, Modal } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Card, CardsPage } from '#kit/web/cards/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  listPeriods,
  PERIOD_STATES,
  PERIODS,
  PeriodRow,
  readStockSetting,
  StockSetting,
  saveStockSetting,
  setPeriodState,
} from '../../contract/costs.ts';

function Setting({ setting }: { setting: StockSetting }) {
  const disabled = !useAllowed(PERIODS);
  const form = useForm(StockSetting, setting);
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
  const periods = useCall(listPeriods, {}, { staleTime: 0 });
  const mayClose = useAllowed(PERIODS);
  const send = useSend(setPeriodState, { refreshes: [listPeriods] });
  const ask = ({ month, state }: PeriodRow) => {
    const closing = state === 'OPEN';
    Modal.confirm({
      title: closing ? `关闭 ${month} 的库存账期？` : `重新打开 ${month} 的库存账期？`,
      content: closing ? '关账后不能再补录该月的单据，撤销记在当天。' : '打开后可以再补录该月的单据。',
      okText: closing ? '关账' : '反关账',
      onOk: () => send.mutateAsync({ body: { month, state: closing ? 'CLOSED' : 'OPEN' } }).catch(() => {}),
    });
  };
  const failed = setting.isError ? setting : periods.isError ? periods : undefined;
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <CardsPage>
      <Card title="库存设置">{setting.data && <Setting setting={setting.data} />}</Card>
      <Card title="库存账期">
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
                  <Tag {...PERIOD_STATES[row.state]} />
                  {mayClose && row.over && (
                    <Button size="small" onClick={() => ask(row)}>
                      {row.state === 'OPEN' ? '关账' : '反关账'}
                    </Button>
                  )}
                </span>
              ),
              text: (row) => PERIOD_STATES[row.state].title,
            },
          }}
        />
      </Card>
    </CardsPage>
  );
}
