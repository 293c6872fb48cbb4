import { useCall } from '#kit/web/api/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { BookingRow } from '../../contract/quote-request/answer.ts';
import { orderBooking } from '../../contract/quote-request/calls.ts';
import { QUOTE_VIEW } from '../../contract/quote-request/fields.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import '../transport/transport.css';

/** 订舱 of a ship order: what the forwarder said, and the requests that it stands on. */
export function OrderBooking({ id }: { id: string }) {
  const { data, isError, error, refetch } = useCall(orderBooking, { params: { id } }, { staleTime: 0 });
  const seesQuotes = useAllowed(QUOTE_VIEW);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="订舱没有取到。" />;
  return (
    <section className="trans-section" aria-label="订舱">
      <div className="trans-head">
        <h2>订舱</h2>
        <span className="label claim-order">
          {seesQuotes &&
            data?.requests.map(({ id: request, number, chosen }) => (
              <span key={request}>
                <TabLink to={quoteRequest.detail} title={number} query={{ id: request }}>
                  {number}
                </TabLink>
                {chosen ? '（已选中）' : ''}{' '}
              </span>
            ))}
        </span>
      </div>
      <LineTable
        row={BookingRow}
        rows={data && (data.booking ? [data.booking] : [])}
        label="订舱"
        none="还没有选中物流报价"
      />
    </section>
  );
}
