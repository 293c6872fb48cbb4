import type { FieldError } from '#kit/contract/envelope.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import type { PackageWish } from '../../contract/acts.ts';
import { carrierOf } from '../../contract/carriers.ts';
import { shipOrders } from './ship.ts';

const MOST_LINES = 200;
const ORDER_NUMBER = /^\d{3}-\d{7}-\d{7}$/;

interface Line {
  /** From 1, as people count them. */
  number: number;
  order: string;
  carrier: string;
  tracking: string;
}

/** Cells by tabs or commas as a sheet copies them; else by blanks, the carrier being all between the first and the last. */
function cellsOf(text: string): string[] {
  const cells = text.split(/[\t,，;；]/).map((cell) => cell.trim());
  if (cells.length > 1) return cells.filter((cell, index) => cell !== '' || index < 3);
  const words = text.split(/\s+/);
  return words.length < 3 ? words : [words[0] ?? '', words.slice(1, -1).join(' '), words.at(-1) ?? ''];
}

function linesOf(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    if (raw.trim() === '') return [];
    const [order = '', carrier = '', tracking = ''] = cellsOf(raw.trim());
    return [{ number: index + 1, order, carrier, tracking }];
  });
}

function shapeProblem({ order, carrier, tracking }: Line, seen: ReadonlySet<string>): string | undefined {
  if (!ORDER_NUMBER.test(order)) return `订单号「${order}」格式应为 3-7-7 位数字`;
  if (carrier === '') return '缺少承运商';
  if (carrier.length > 60) return '承运商不能超过60个字符';
  if (tracking === '') return '缺少运单号';
  if (tracking.length > 60) return '运单号不能超过60个字符';
  return seen.has(order) ? `订单号 ${order} 重复` : undefined;
}

async function unknownOrders(ctx: Ctx, numbers: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('order.amazon_order')
    .select(['amazon_order_id', (eb) => eb.fn.countAll<number>().as('n')])
    .where('company_id', '=', ctx.companyId)
    .where('amazon_order_id', 'in', [...numbers, ''])
    .groupBy('amazon_order_id')
    .execute();
  const counts = new Map(rows.map((row) => [row.amazon_order_id, Number(row.n)]));
  return new Map(
    numbers.flatMap((number) => {
      const count = counts.get(number) ?? 0;
      if (count === 1) return [];
      return [[number, count === 0 ? `订单 ${number} 不存在` : `多个店铺有订单 ${number}，请从订单列表发货`] as const];
    }),
  );
}

/**
 * Plans one package for each pasted line "order number, carrier, tracking number", with all that is left of the order.
 * Returns how many. @throws 400 with an entry for each line that is wrong, named by its number; then nothing is planned
 */
export async function shipPasted(ctx: Ctx, text: string, shippedAt: string): Promise<number> {
  const lines = linesOf(text);
  const say = (number: number, msg: string): FieldError => ({
    field: `lines.${number}`,
    title: '发货内容',
    msg: `第 ${number} 行：${msg}`,
  });
  if (lines.length > MOST_LINES) throw invalid([say(MOST_LINES + 1, `一次最多 ${MOST_LINES} 行`)]);
  const seen = new Set<string>();
  const unknown = await unknownOrders(
    ctx,
    lines.map(({ order }) => order),
  );
  const problems = lines.flatMap((line) => {
    const why = shapeProblem(line, seen) ?? unknown.get(line.order);
    seen.add(line.order);
    return why === undefined ? [] : [say(line.number, why)];
  });
  const good = lines.filter(({ number }) => !problems.some(({ field }) => field === `lines.${number}`));
  const wishes = good.map(
    (line): PackageWish => ({ id: line.order, trackingNumber: line.tracking, shippedAt, ...carrierOf(line.carrier) }),
  );
  try {
    const planned = await shipOrders(ctx, wishes, (index) => {
      const number = good[index]?.number ?? 0;
      return { path: `lines.${number}`, words: `第 ${number} 行 ${good[index]?.order}` };
    });
    if (problems.length === 0) return planned;
  } catch (error) {
    throw withLines(error, problems);
  }
  throw invalid(problems);
}

/** A refusal of some lines together with what is wrong with others. */
function withLines(error: unknown, problems: readonly FieldError[]): unknown {
  const fields = (error as { data?: { fields?: FieldError[] } }).data?.fields;
  return fields ? invalid([...problems, ...fields]) : error;
}
