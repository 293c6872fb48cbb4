import type { DateStyle } from './dates.ts';
import { dateCell } from './dates.ts';
import type { ColumnMap } from './headers.ts';
import { cellAt } from './headers.ts';
import type { RawRow } from './lines.ts';
import { currencyScale, marketStyle } from './markets.ts';
import type { DecimalStyle } from './numbers.ts';
import { DecimalEvidence, decimalCell, parseDecimal } from './numbers.ts';
import type { ReadOptions } from './reader.ts';
import { FileRefused, shown } from './refusal.ts';
import type { Surveyor } from './report.ts';
import type { SettlementHead } from './settlement-shape.ts';
import { ExactSum } from './sums.ts';

/** Columns of the header record, the same in both forms. */
export const HEAD_COLUMNS = [
  { name: 'settlement-id', required: true },
  { name: 'settlement-start-date', required: true },
  { name: 'settlement-end-date', required: true },
  { name: 'deposit-date', required: true },
  { name: 'total-amount', required: true },
  { name: 'currency', required: true },
] as const;

export type HeadColumn = (typeof HEAD_COLUMNS)[number]['name'];

/** Sum of the file's amounts in one style, until a value turns up that is no number in it. */
interface Attempt {
  style: DecimalStyle;
  sum: ExactSum;
  deadAt?: { line: number; column: string; value: string };
}

export type SettlementExtra = SettlementHead & { decimal: DecimalStyle };

/**
 * First pass over a settlement: finds the header record wherever it stands, adds up all amounts in both decimal styles
 * at once, and keeps the style in which they equal total-amount.
 */
export class SettlementProof implements Surveyor<SettlementExtra> {
  readonly #columns: ColumnMap<HeadColumn>;
  readonly #amounts: readonly { name: string; at: number }[];
  readonly #options: ReadOptions;
  readonly #evidence = new DecimalEvidence();
  readonly #attempts: Attempt[];
  #head: RawRow | undefined;
  #scale: 0 | 2 | undefined;
  #id = '';
  #idLine = 0;
  #rows = 0;

  constructor(columns: ColumnMap<HeadColumn>, amounts: readonly { name: string; at: number }[], options: ReadOptions) {
    this.#columns = columns;
    this.#amounts = amounts.filter((column) => column.at >= 0);
    this.#options = options;
    const styles: DecimalStyle[] = options.decimal ? [options.decimal] : ['point', 'comma'];
    this.#attempts = styles.map((style) => ({ style, sum: new ExactSum() }));
  }

  row(row: RawRow): void {
    this.#rows++;
    this.#checkId(row);
    if (cellAt(row.cells, this.#columns.index['total-amount']).trim() !== '') this.#takeHead(row);
    for (const { name, at } of this.#amounts) {
      const text = row.cells[at];
      if (text) this.#add(text, row.line, name);
    }
  }

  finish(dates: DateStyle): SettlementExtra {
    const head = this.#head;
    if (!head) throw new FileRefused('VALUE', '结算文件缺少汇总行（没有 total-amount）', { column: 'total-amount' });
    const at = (name: HeadColumn): string => cellAt(head.cells, this.#columns.index[name]);
    const place = (column: HeadColumn): { line: number; column: string } => ({ line: head.line, column });
    const { attempt, total } = this.#prove(at('total-amount'), head.line);
    const instant = (name: HeadColumn): string | null => dateCell(at(name), dates, place(name))?.instant ?? null;
    const settlementId = at('settlement-id').trim();
    if (settlementId === '') throw new FileRefused('VALUE', '结算编号为空', place('settlement-id'));
    return {
      settlementId,
      startAt: instant('settlement-start-date'),
      endAt: instant('settlement-end-date'),
      depositAt: instant('deposit-date'),
      totalAmount: total,
      lineSum: attempt.sum.text(this.#scale ?? 2),
      currency: at('currency').trim(),
      detailRows: this.#rows - 1,
      decimal: attempt.style,
    };
  }

  #checkId({ cells, line }: RawRow): void {
    const id = cellAt(cells, this.#columns.index['settlement-id']);
    if (id === this.#id || id.trim() === this.#id) return;
    if (this.#id === '') {
      this.#id = id.trim();
      this.#idLine = line;
      return;
    }
    throw new FileRefused(
      'MIXED',
      `结算编号 ${shown(id)} 与第 ${this.#idLine} 行的 ${this.#id} 不同，一个文件只能有一个结算单`,
      {
        line,
        column: 'settlement-id',
        value: id,
      },
    );
  }

  #takeHead(row: RawRow): void {
    if (this.#head) {
      throw new FileRefused('MIXED', `出现第二个汇总行（第一个在第 ${this.#head.line} 行）`, {
        line: row.line,
        column: 'total-amount',
      });
    }
    this.#head = row;
    const currency = cellAt(row.cells, this.#columns.index.currency);
    this.#scale = currencyScale(currency);
    if (this.#scale === undefined) {
      throw new FileRefused('VALUE', `币种“${shown(currency)}”无效`, {
        line: row.line,
        column: 'currency',
        value: currency,
      });
    }
    this.#evidence.see(cellAt(row.cells, this.#columns.index['total-amount']), row.line, 'total-amount', this.#scale);
  }

  #add(text: string, line: number, column: string): void {
    if (text.charCodeAt(0) <= 32 && text.trim() === '') return;
    this.#evidence.see(text, line, column, this.#scale);
    let alive = false;
    for (const attempt of this.#attempts) {
      if (attempt.deadAt) continue;
      const value = parseDecimal(text, attempt.style);
      if (value === undefined) attempt.deadAt = { line, column, value: text };
      else {
        attempt.sum.add(value);
        alive = true;
      }
    }
    // Neither style reads the file: proofs of both are a contradiction, anything else is no number at all.
    if (!alive) this.#refuseValue({ line, column, value: text });
  }

  #refuseValue(place: { line: number; column: string; value: string }): never {
    if (this.#options.decimal === undefined) this.#evidence.decide();
    throw new FileRefused('NUMBER', `“${shown(place.value.trim())}”不是有效的金额`, place);
  }

  #prove(totalText: string, line: number): { attempt: Attempt; total: string } {
    const fallback = marketStyle(this.#options.marketplaceId)?.decimal;
    const readings = this.#attempts
      .filter((attempt) => !attempt.deadAt && parseDecimal(totalText, attempt.style) !== undefined)
      .map((attempt) => {
        const total = decimalCell(totalText, attempt.style, { line, column: 'total-amount' }) ?? '0';
        return { attempt, total, gap: attempt.sum.minus(total) };
      });
    if (readings.length === 0) this.#refuseValue({ line, column: 'total-amount', value: totalText });
    const exact = readings.filter((reading) => reading.gap === '0');
    const choice = exact.length > 0 ? exact : readings;
    const preferred = choice.length > 1 ? this.#evidence.decide(fallback) : undefined;
    const best = choice.find((reading) => reading.attempt.style === preferred) ?? choice[0];
    if (best?.gap !== '0') {
      throw new FileRefused('UNBALANCED', `结算文件合计与总额不符，差额 ${(best?.gap ?? '').replace('-', '')}`, {
        line,
        column: 'total-amount',
        value: totalText,
      });
    }
    const total = decimalCell(totalText, best.attempt.style, { line, column: 'total-amount' }, this.#scale) ?? '0';
    return { attempt: best.attempt, total };
  }
}
