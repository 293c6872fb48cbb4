import type { ShipOrder } from './load.ts';

type Mode = Pick<ShipOrder, 'stockMode'>;

/** All but one kind of order touch our stock; that one is told for the books of the marketplace alone. */
export const movesStock = ({ stockMode }: Mode): boolean => stockMode !== 'PLATFORM';

/** Whether Amazon's inbound plan of the order is made and followed here. */
export const goesThrough = ({ stockMode }: Mode): boolean => stockMode === 'NORMAL';
