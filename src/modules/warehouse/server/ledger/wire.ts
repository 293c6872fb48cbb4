import { createHash } from 'node:crypto';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Outside } from '../../contract/stock.ts';
import { refusalOf } from './refusal.ts';
import type { Cost, Move, Posted, Side } from './types.ts';

/** Id of a virtual warehouse of a company; warehouse.virtual_id in the database says the same. */
export function virtualId(companyId: string, code: Outside): string {
  const hash = createHash('md5').update(`${companyId}:${code}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface WireSide {
  w: string;
  l: string;
  b: string;
  s: string;
}

/** Ids of virtual warehouses by code: a document of many lines asks for each of them once. */
type VirtualIds = (code: Outside) => string;

function virtualIds(companyId: string): VirtualIds {
  const known = new Map<Outside, string>();
  return (code) => {
    const id = known.get(code) ?? virtualId(companyId, code);
    known.set(code, id);
    return id;
  };
}

function sideOf(virtual: VirtualIds, move: Move, side: Side, other: Side): WireSide {
  if (typeof side === 'string') {
    const w = virtual(side);
    const lot = typeof other === 'string' ? undefined : other.lot;
    return { w, l: w, b: lot ?? move.product, s: 'OUTSIDE' };
  }
  return { w: side.warehouse, l: side.location ?? side.warehouse, b: side.lot ?? move.product, s: side.status };
}

function costOf(move: Move, cost: Cost): object {
  if ('carry' in cost) return { k: 'CARRY' };
  if ('sum' in cost) return { k: 'SUM', a: cost.plus, w: cost.weight };
  const a = 'value' in cost ? cost.value : round(new Decimal(cost.unit).times(move.qty), 4);
  if (new Decimal(a).isNegative()) throw refused('库存成本不能为负数', 'B0809');
  return { k: 'GIVEN', a, od: cost.firstDay, st: cost.state, c: cost.components };
}

/** A move as the database reads it: see warehouse.move. */
function wireMove(virtual: VirtualIds, move: Move, index: number): object {
  if (!Number.isSafeInteger(move.qty) || move.qty <= 0) throw refused('数量必须为正整数', 'B0810');
  const from = sideOf(virtual, move, move.from, move.to);
  const to = sideOf(virtual, move, move.to, move.from);
  return {
    n: index + 1,
    p: move.product,
    q: move.qty,
    fw: from.w,
    fl: from.l,
    fb: from.b,
    fs: from.s,
    tw: to.w,
    tl: to.l,
    tb: to.b,
    ts: to.s,
    r: move.reservation,
    g: move.group,
    ...(move.cost ? costOf(move, move.cost) : {}),
  };
}

/** All moves of a posting. @throws refused without any, or with a quantity that is no positive whole number */
export function wireMoves(companyId: string, moves: readonly Move[]): object[] {
  if (moves.length === 0) throw refused('至少添加一行数据', 'B0811');
  const virtual = virtualIds(companyId);
  return moves.map((move, index) => wireMove(virtual, move, index));
}

/** Who does it, as the database notes it. */
export function operatorOf(ctx: Ctx, note: string | undefined): object {
  return { operatorId: ctx.userId, operator: ctx.userName, note: note ?? '' };
}

type LedgerCall = 'post' | 'reverse' | 'reserve' | 'add_cost' | 'month_gather' | 'month_price' | 'month_write';

/** Calls one of the ledger's functions with an event, in one round trip. @throws refused with the ledger's own words */
export async function callLedger<A = Posted>(ctx: Ctx, name: LedgerCall, event: object): Promise<A> {
  try {
    const { rows } = await ctx.client.query<{ answer: A }>({
      name: `warehouse.${name}`,
      text: `SELECT warehouse.${name}($1) AS answer`,
      values: [JSON.stringify(event)],
    });
    const answer = rows[0]?.answer;
    if (!answer) throw new Error(`warehouse.${name} gave no answer`);
    return answer;
  } catch (error) {
    throw refusalOf(error);
  }
}
