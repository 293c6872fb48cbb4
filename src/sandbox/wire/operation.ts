import type { SimAccount } from '../business/types.ts';
import type { FaultKind, FaultRule } from './faults.ts';
import type { RawQuery } from './query.ts';
import type { UsagePlan } from './throttle.ts';
import type { World } from './world.ts';

/** One authorised call of one operation. */
export interface Call {
  world: World;
  operation: string;
  /** Of a grantless operation, which is about no seller: one without a name and marketplaces. */
  account: SimAccount;
  /** The application that calls. */
  clientId: string;
  query: RawQuery;
  params: Record<string, string>;
  /** Parsed JSON, unchecked. */
  body: unknown;
  /** Data time at which the call arrived; every figure of the answer is as of this instant. */
  now: number;
  /** What `before` of the operation found. */
  found?: readonly string[];
  /** Whether a fault of this kind strikes this call. */
  strike(kind: FaultKind, reportType?: string): FaultRule | undefined;
}

/** The answer of an operation. */
export interface Answer {
  status?: number;
  body: unknown;
}

/** An operation of the selling-partner API as its model publishes it. */
export interface Operation {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /spapi/:region, with Fastify's parameters: "/orders/2026-01-01/orders/:orderId". */
  path: string;
  plan: UsagePlan;
  /** The last parameter of the path takes slashes along, which may not be encoded. */
  greedy?: true;
  /** Its errors leave details out where there are none, as its model demands; others give an empty text. */
  noEmptyDetails?: true;
  /** Called with a token of the application itself, of the scope sellingpartnerapi:: followed by this. */
  grantless?: 'notifications' | 'client_credential:rotation';
  /** What has to be looked up elsewhere before the call is handled; kept with the call as `found`. */
  before?(call: Call): Promise<readonly string[]>;
  handle(call: Call): Answer;
}

/** One call as it went over the wire, for whoever watches. */
export interface Exchange {
  operation: Operation;
  query: RawQuery;
  params: Record<string, string>;
  body: unknown;
  status: number;
  reply: unknown;
}
