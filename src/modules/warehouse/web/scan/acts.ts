import type { EndpointDef } from '#kit/contract/endpoint.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { overseasCalls } from '../../contract/documents/overseas.ts';
import { stocktakeCalls } from '../../contract/documents/stocktake.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { scanPick } from '../../contract/scan.ts';
import { moveShelf, putAway, takeDown } from '../../contract/shelf.ts';

/** What a scan can come to, with the call that carries it out. Each call counts once for its client id. */
export const ACTIONS = {
  putaway: putAway,
  pull: takeDown,
  move: moveShelf,
  receiveInbound: inboundCalls.receive,
  receiveTransfer: transferCalls.receive,
  receiveOverseas: overseasCalls.receive,
  pick: outboundCalls.pick,
  pickOther: scanPick,
  count: stocktakeCalls.count,
  recount: stocktakeCalls.recount,
} as const satisfies Record<string, EndpointDef>;
export type ActionName = keyof typeof ACTIONS;

/** The call of another module, kept by its address: the page that sends it later need not know it. */
export const OTHER = 'other';

/** Something done at a shelf that the server has to hear of. */
export interface Act {
  /** Key of the command: sent again it changes nothing. */
  id: string;
  /** Order in which it was done. */
  seq: number;
  /** Who did it; nobody else's session sends it. */
  uid: string;
  /** Epoch ms. */
  at: number;
  action: ActionName | typeof OTHER;
  /** Of a call of another module. */
  path?: `/${string}`;
  body: Record<string, unknown>;
  /** For people, e.g. 「拣货 CK2611210001：KD-01 ×3」. */
  words: string;
  state: 'pending' | 'refused';
  /** Why the server refused it. */
  reason: string | null;
}
