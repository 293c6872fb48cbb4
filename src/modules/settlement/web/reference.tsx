import { TabLink } from '#kit/web/tabs/TabLink.tsx';

const ORDER = /^\d{3}-\d{7}-\d{7}$/;

/** The column of what a money line refers to: an order of Amazon opens its row in the list of orders. */
export const REFERENCE_COLUMN = {
  render: ({ reference }: { reference: string | null }) => {
    if (reference === null) return '—';
    if (!ORDER.test(reference)) return <span className="code">{reference}</span>;
    return (
      <TabLink to="/amazon/sale/order/list" title="订单列表" query={{ 'f.orderIds': reference }}>
        {reference}
      </TabLink>
    );
  },
  text: ({ reference }: { reference: string | null }) => reference ?? '',
};
