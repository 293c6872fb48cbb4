import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { PackedSize } from '#modules/product/server/index.ts';
import type { Line, StockDocument } from '../core/load.ts';
import { addValue } from '../core/value.ts';

type FeeLine = Pick<Line, 'id' | 'lineNo' | 'product' | 'qty' | 'fee'>;

/** What has to be shared, CNY. */
export function feesOf(doc: Pick<StockDocument, 'freight' | 'otherFee'>): string {
  return sum([doc.freight, doc.otherFee]);
}

function weightOf(split: string, line: FeeLine, size: PackedSize | undefined): string | null {
  const one = split === 'QTY' ? '1' : split === 'WEIGHT' ? (size?.weight ?? null) : (size?.volume ?? null);
  return one === null ? null : new Decimal(one).times(line.qty).toFixed();
}

/** Ties of the largest remainder go to the lower line. */
const keyOf = (line: FeeLine) => String(line.lineNo).padStart(6, '0');

/**
 * Shares fees over lines to the cent, by largest remainder; ties go to the lower line number. Without a split nothing is
 * shared. @param total CNY @throws refused B0828 where a manual split does not add up, or a size is missing
 */
export function shareFees(
  total: string,
  split: string,
  lines: readonly FeeLine[],
  sizes: ReadonlyMap<string, PackedSize> = new Map(),
  skuOf: (product: string) => string = () => '',
): Map<string, string> {
  if (split === 'NONE' || new Decimal(total).isZero()) return new Map();
  if (split === 'MANUAL') {
    const given = sum(lines.map((line) => line.fee ?? '0'));
    if (!new Decimal(given).eq(total)) {
      throw refused(
        `手工分摊合计 ${new Decimal(given).toFixed(2)} 与费用 ${new Decimal(total).toFixed(2)} 不一致`,
        'B0828',
      );
    }
    return new Map(lines.map((line) => [line.id, line.fee ?? '0']));
  }
  const weights = new Map<string, string>();
  for (const line of lines) {
    const weight = weightOf(split, line, sizes.get(line.product));
    if (weight === null || new Decimal(weight).lte(0)) {
      throw refused(
        `SKU【${skuOf(line.product)}】缺少尺寸或重量，无法按${split === 'WEIGHT' ? '重量' : '体积'}分摊`,
        'B0828',
      );
    }
    weights.set(keyOf(line), weight);
  }
  const parts = allocate(total, weights, 2);
  return new Map(lines.map((line) => [line.id, parts?.get(keyOf(line)) ?? '0']));
}

/**
 * Puts fees by line into the layers that a posting made: the value of a line goes to its moves by pieces, to four
 * decimals, under a component of their cost. `moves[i]` is the line and the pieces of move i, or nothing.
 */
export async function putFees(
  ctx: Ctx,
  doc: StockDocument,
  { posting, component }: { posting: string; component: string },
  fees: ReadonlyMap<string, string>,
  moves: readonly ({ line: string; qty: number } | undefined)[],
): Promise<void> {
  const values: { n: number; a: string }[] = [];
  for (const [line, fee] of fees) {
    const mine = new Map(
      moves.flatMap((move, index) =>
        move?.line === line ? [[String(index + 1).padStart(6, '0'), String(move.qty)] as const] : [],
      ),
    );
    for (const [n, a] of allocate(fee, mine, 4) ?? []) if (new Decimal(a).gt(0)) values.push({ n: Number(n), a });
  }
  if (values.length > 0) await addValue(ctx, doc, posting, component, values);
}
