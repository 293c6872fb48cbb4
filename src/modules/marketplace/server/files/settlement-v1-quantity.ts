import type { SettlementLine } from './settlement-shape.ts';
import { AMOUNT_TYPE } from './settlement-shape.ts';

/**
 * Form V1 states the pieces of an order item in a line of their own without any amount; form V2 states them in the
 * Principal line. This puts the quantity where form V2 has it. Only items without a Principal line after their
 * quantity are held in memory; they come out at the end, as lines of amount 0, so that no piece is lost.
 */
export class PendingQuantities {
  readonly #waiting = new Map<string, SettlementLine[]>();

  /** Takes a line without amounts. One that states no quantity either says nothing and is dropped. */
  add(line: SettlementLine): void {
    if (line.quantity === null) return;
    const key = keyOf(line);
    const queue = this.#waiting.get(key);
    if (queue) queue.push(line);
    else this.#waiting.set(key, [line]);
  }

  /** Gives a Principal line the quantity that waits for its order item. */
  settle(line: SettlementLine): SettlementLine {
    if (line.quantity !== null || line.amountType !== AMOUNT_TYPE.price || line.amountDescription !== 'Principal') {
      return line;
    }
    const key = keyOf(line);
    const queue = this.#waiting.get(key);
    const found = queue?.shift();
    if (!queue || !found) return line;
    if (queue.length === 0) this.#waiting.delete(key);
    return { ...line, quantity: found.quantity };
  }

  /** Quantities nobody asked for, in the order of the file. */
  rest(): SettlementLine[] {
    const lines = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return lines.sort((a, b) => a.lineNo - b.lineNo);
  }
}

function keyOf(line: SettlementLine): string {
  return [line.transactionType, line.orderId, line.adjustmentId, line.shipmentId, line.orderItemCode, line.sku].join(
    '\t',
  );
}
