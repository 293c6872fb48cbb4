import { countIncoming, incoming, parcelsOf, receiptsOf } from '../contract/receipts.ts';

/** What shows goods on their way and their receipts. */
export const INCOMING = [incoming.list, countIncoming, parcelsOf, receiptsOf];
