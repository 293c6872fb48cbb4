import { Money } from '#kit/web/cells/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { paymentRequest } from '#modules/finance/contract/requests.ts';
import { type OrderMoney, OrderPaymentRow } from '../../contract/order.ts';

interface Props {
  payments: readonly OrderPaymentRow[];
  money: OrderMoney;
  prices: boolean;
}

/** What was asked for an order and paid, and how it stands with the supplier. */
export function Payments({ payments, money, prices }: Props) {
  const amount = (value: string | null) => <Money amount={value} currency={money.currency} />;
  return (
    <>
      <LineTable
        row={OrderPaymentRow}
        rows={payments}
        label="请款与付款"
        none="还没有请款"
        columns={{
          number: {
            render: (row) => (
              <TabLink to={paymentRequest.detail} title={row.number} query={{ id: row.id }}>
                {row.number}
              </TabLink>
            ),
          },
        }}
      />
      {prices && (
        <div className="order-facts order-money">
          <Facts
            title="往来"
            money
            facts={[
              { label: '应付（到货减退货）', value: amount(money.raised) },
              { label: '应付未付', value: amount(money.open), strong: true },
              { label: '预付余额', value: amount(money.prepaid) },
              { label: '已付', value: amount(money.paid) },
              { label: '请款中', value: amount(money.requested) },
              { label: '剩余可请', value: amount(money.left) },
            ]}
          />
        </div>
      )}
    </>
  );
}
