import { metaOf } from '#kit/contract/columns.ts';
import { State, Tag } from '#kit/web/cells/index.ts';
import { SHORT_SHIPMENT, ShipmentState } from '../contract/acts.ts';
import type { OrderRow } from '../contract/orders.ts';
import { OrderStatus } from '../contract/status.ts';

interface Props {
  order: Pick<OrderRow, 'status' | 'shipping'>;
  /** In a cell: the full words stand behind the short ones. */
  short?: boolean;
}

/** Where Amazon has the order, and beside it a package that was reported as sent and does not show there yet. */
export function OrderState({ order, short = false }: Props) {
  const { status, shipping } = order;
  const words = shipping === null ? undefined : metaOf(ShipmentState).states?.[shipping];
  return (
    <>
      <State value={status} states={metaOf(OrderStatus).states} />
      {shipping !== null && words && (
        <>
          {' '}
          <Tag
            tone={words.tone}
            title={short ? SHORT_SHIPMENT[shipping] : words.title}
            reason={short ? words.title : undefined}
          />
        </>
      )}
    </>
  );
}
