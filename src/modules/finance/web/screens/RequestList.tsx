import '../finance.css';
import { SettingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  APPLY,
  APPROVE,
  countRequests,
  exportRequests,
  listRequests,
  PAY,
  paymentRequest,
  RequestFilter,
  RequestRow,
  requestSteps,
} from '../../contract/requests.ts';
import { PayDialog } from '../PayDialog.tsx';
import { check, commit, template } from '../payment-import.ts';
import { refreshRequests } from '../refresh.ts';
import { SettingDialog } from '../SettingDialog.tsx';

const PAYABLE = ['approved', 'partly'];
const notIn = (states: readonly string[], word: string) => (row: RequestRow) =>
  states.includes(row.state) ? undefined : `「${paymentRequest.states[row.state].title}」的请款单不能${word}`;

const COLUMNS: ColumnOverrides<RequestRow> = {
  number: {
    render: (row) => (
      <TabLink to={paymentRequest.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  dueOn: {
    render: (row) => (PAYABLE.includes(row.state) ? <DueDay day={row.dueOn} none="—" /> : (row.dueOn ?? '—')),
    text: (row) => row.dueOn ?? '',
  },
};

/** Ticked rows of one currency say their sum. */
function summaryOf(rows: readonly RequestRow[]): string | undefined {
  const currency = rows[0]?.currency;
  if (!currency || rows.some((row) => row.currency !== currency)) return undefined;
  const open = rows.reduce((total, row) => total.plus(row.open), new Decimal(0));
  return `待付合计 ${formatMoney(open.toFixed(), currency)}`;
}

/** 请款单: what waits for approval and for money, and what has been paid. */
export default function RequestList() {
  const tab = useTab();
  const [paying, setPaying] = useState<readonly RequestRow[]>();
  const mayPay = useAllowed(PAY);
  const mayApprove = useAllowed(APPROVE);
  const mayApply = useAllowed(APPLY);
  const open = (row: RequestRow) => tab.open(paymentRequest.detail, { title: row.number, query: { id: row.id } });
  const approve = async (rows: readonly RequestRow[]) => {
    for (const { id, version } of rows) await call(requestSteps.approve, { body: { id, version } }, {});
    notice.success(`已通过 ${rows.length} 单`);
    await refreshRequests();
  };
  const [setting, setSetting] = useState(false);
  const [importing, setImporting] = useState(false);
  const add = (
    <Allowed code={APPLY}>
      <Button type="primary" onClick={() => tab.open('/f/p/e', { title: '新增请款单' })}>
        新增请款单
      </Button>
    </Allowed>
  );
  const head = (
    <>
      <Button icon={<SettingOutlined />} onClick={() => setSetting(true)}>
        请款设置
      </Button>
      <Allowed code={APPLY}>
        <Button onClick={() => setImporting(true)}>导入</Button>
      </Allowed>
      {add}
    </>
  );
  return (
    <>
      <ListScreen
        name="finance/requests"
        title="请款单"
        unit="单"
        density="two"
        endpoint={listRequests}
        exportEndpoint={exportRequests}
        row={RequestRow}
        filter={RequestFilter}
        tabs={{ field: 'state', counts: countRequests }}
        columns={COLUMNS}
        head={head}
        onOpen={open}
        batch={[
          ...(mayApprove
            ? [
                {
                  label: '审核通过',
                  unfit: notIn(['submitted'], '审核'),
                  onClick: (rows: RequestRow[]) => void approve(rows),
                },
              ]
            : []),
          ...(mayPay
            ? [
                {
                  label: '批量付款',
                  primary: true,
                  unfit: notIn(PAYABLE, '付款'),
                  onClick: (rows: RequestRow[]) => setPaying(rows),
                },
              ]
            : []),
        ]}
        batchSummary={summaryOf}
        actions={(row) => [
          ...(mayPay && PAYABLE.includes(row.state) ? [{ label: '付款', onClick: () => setPaying([row]) }] : []),
          ...(mayApply && ['draft', 'returned'].includes(row.state)
            ? [
                {
                  label: '编辑',
                  edits: true,
                  onClick: () => tab.open('/f/p/e', { title: `编辑${row.number}`, query: { id: row.id } }),
                },
              ]
            : []),
          { label: '查看', onClick: () => open(row) },
        ]}
        empty={
          <Empty
            title="还没有请款单"
            text="采购单可以直接请款；也可以在这里为运费、房租等费用申请付款。审核通过后由出纳付款。"
          >
            {add}
          </Empty>
        }
      />
      <ImportDialog<FileCheck>
        title="导入付款"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshRequests()}
        accept=".xlsx"
      />
      {setting && <SettingDialog onClose={() => setSetting(false)} />}
      {paying && <PayDialog requests={paying} onClose={() => setPaying(undefined)} />}
    </>
  );
}
