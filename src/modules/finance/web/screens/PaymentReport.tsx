import '../finance.css';
import { useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { listAccounts } from '../../contract/accounts.ts';
import { exportPayments, listPayments, PaidFilter, PaidRow } from '../../contract/payments.ts';
import { paymentRequest } from '../../contract/requests.ts';
import { useParties } from '../choices.ts';

const COLUMNS: ColumnOverrides<PaidRow> = {
  request: {
    render: (row) => (
      <TabLink to={paymentRequest.detail} title={row.request} query={{ id: row.requestId }}>
        {row.request}
      </TabLink>
    ),
    text: (row) => row.request,
  },
};

/** 付款明细: every payment, what it was for, out of which account, and what it was in CNY. */
export default function PaymentReport() {
  const tab = useTab();
  const parties = useParties();
  const { data } = useCall(listAccounts, {}, { staleTime: 30_000 });
  return (
    <ListScreen
      name="finance/payments"
      title="付款明细"
      unit="笔"
      density="dense"
      endpoint={listPayments}
      exportEndpoint={exportPayments}
      row={PaidRow}
      filter={PaidFilter}
      columns={COLUMNS}
      options={{
        party: parties.map(({ id, name }) => ({ value: id, label: name })),
        cashAccount: data?.map(({ id, name }) => ({ value: id, label: name })),
      }}
      onOpen={(row) => tab.open(paymentRequest.detail, { title: row.request, query: { id: row.requestId } })}
      empty={<Empty title="还没有付款" text="请款单审核后付款，每一笔付款都列在这里。" />}
      note="合计不含已冲销的付款"
    />
  );
}
