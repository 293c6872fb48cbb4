import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Transport } from '../../contract/fields.ts';
import type { QuoteUnit } from '../../contract/quote-request/fields.ts';
import type { Boxes } from '../transport/rules/weigh.ts';

export const REQUESTS = 'shipping.quote_request';

/** An order of a request, with its goods as they were when forwarders were asked. */
export interface AskedOrder {
  order: string;
  center: string;
  boxes: number;
  pieces: number;
  weight: string | null;
  volumetric: string | null;
  volume: string | null;
  estimated: boolean;
  specs: Boxes[];
}

/** A request as its rules see it. */
export interface QuoteRequest extends DocumentRow {
  number: string;
  warehouse: string;
  country: string;
  postalCode: string;
  mode: Transport | null;
  divisor: number;
  readyOn: string | null;
  until: string;
  remark: string;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  orders: AskedOrder[];
}

async function read(ctx: Ctx, id: string, lock: boolean): Promise<QuoteRequest> {
  const { rows } = await sql<Omit<QuoteRequest, 'orders'>>`
    SELECT id, number, state, version, warehouse_id AS warehouse, country, postal_code AS "postalCode", mode, divisor,
           ready_on AS "readyOn", until, remark, created_by AS "createdBy", created_by_name AS "createdByName",
           updated_by_name AS "updatedByName"
      FROM shipping.quote_request
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound('物流询价不存在');
  const orders = await sql<AskedOrder>`
    SELECT order_id AS "order", center, boxes, pieces, weight::text, volumetric::text, volume::text, estimated, specs
      FROM shipping.quote_request_order
     WHERE company_id = ${ctx.companyId} AND request_id = ${id} ORDER BY line_no`.execute(ctx.db);
  return { ...head, orders: orders.rows };
}

/** The request with its row locked until the transaction ends. @throws notFound */
export const lockedRequest = (ctx: Ctx, id: string): Promise<QuoteRequest> => read(ctx, id, true);

/** The request as it is now. @throws notFound */
export const loadedRequest = (ctx: Ctx, id: string): Promise<QuoteRequest> => read(ctx, id, false);

/** An answer as it was written down, amounts in its currency. */
export interface Answer {
  id: string;
  carrierId: string;
  carrier: string;
  channelId: string | null;
  channel: string;
  mode: Transport;
  round: number;
  unit: QuoteUnit;
  quantity: string;
  price: string;
  currency: string;
  freight: string;
  tax: string;
  otherFee: string;
  total: string;
  totalCny: string | null;
  answeredOn: string;
  days: number | null;
  validUntil: string | null;
  late: boolean;
  superseded: boolean;
  remark: string;
  at: string;
  byName: string;
}

/** All answers to a request, the newest round of a way first. */
export async function answersOf(ctx: Ctx, requestId: string): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    SELECT a.id, a.carrier_id AS "carrierId", k.name AS carrier, a.channel_id AS "channelId", coalesce(c.name, '') AS channel,
           a.mode, a.round, a.bill_unit AS unit, trim_scale(a.quantity)::text AS quantity, trim_scale(a.price)::text AS price,
           a.currency, a.freight::text, a.tax::text, a.other_fee::text AS "otherFee", a.total::text,
           a.total_cny::text AS "totalCny", a.answered_on AS "answeredOn", a.days, a.valid_until AS "validUntil", a.late,
           a.superseded, a.remark, a.created_at AS at, a.created_by_name AS "byName"
      FROM shipping.quote_answer AS a
      JOIN shipping.carrier AS k ON k.company_id = a.company_id AND k.id = a.carrier_id
      LEFT JOIN shipping.channel AS c ON c.company_id = a.company_id AND c.id = a.channel_id
     WHERE a.company_id = ${ctx.companyId} AND a.request_id = ${requestId} ORDER BY a.id DESC`.execute(ctx.db);
  return rows;
}

/** The booking that stands, if one does. */
export interface Booking {
  id: string;
  answerId: string;
  state: 'waiting' | 'booked';
}

/** The booking of a request that was not cancelled. */
export async function bookingOf(ctx: Ctx, requestId: string): Promise<Booking | undefined> {
  const { rows } = await sql<Booking>`
    SELECT id, answer_id AS "answerId", state FROM shipping.quote_booking
     WHERE company_id = ${ctx.companyId} AND request_id = ${requestId} AND state <> 'cancelled'`.execute(ctx.db);
  return rows[0];
}

/** Counts a change that is no transition, and puts the caller's name on it; answers the version. */
export async function touchRequest(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE shipping.quote_request SET version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} RETURNING version`.execute(ctx.db);
  return rows[0]?.version ?? 0;
}
