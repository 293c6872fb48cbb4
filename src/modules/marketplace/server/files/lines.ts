import { FileRefused } from './refusal.ts';

/** One record of a delimited file: its physical line (the first one, counted from 1) and its cells, unchanged. */
export interface RawRow {
  line: number;
  cells: string[];
}

export interface SplitOptions {
  delimiter: string;
  /** RFC 4180 quotes. False for tab separated files: Amazon never quotes there, and titles carry inch marks. */
  quotes: boolean;
}

/** Longest line or quoted record, in characters. Above it the file is no table. */
export const MAX_LINE = 1024 * 1024;

/**
 * Splits text into rows as it arrives. Push chunks of any size, then call `end` once. Lines end with LF or CRLF, or with
 * a lone CR when the first line does. Blank lines are counted but not handed out.
 */
export class RowSplitter {
  /** True after `end` when the last row had no line end: nothing wrong in itself, but a cut file looks like this. */
  unterminated = false;
  readonly #delimiter: string;
  readonly #quotes: boolean;
  #carry = '';
  #lineEnd: '\n' | '\r' | undefined;
  /** Physical line of the next text to be split. */
  #line = 1;
  /** Open record of a quoted field that spans lines. */
  #cells: string[] = [];
  #field = '';
  #open = false;
  #openLine = 0;
  #openLength = 0;

  constructor(options: SplitOptions) {
    this.#delimiter = options.delimiter;
    this.#quotes = options.quotes;
  }

  /** @throws FileRefused BINARY, LINE_TOO_LONG */
  push(chunk: string): RawRow[] {
    const text = this.#carry.length === 0 ? chunk : this.#carry + chunk;
    if (chunk.includes('\0')) this.#refuseBinary(text);
    const end = this.#lineEnd ?? this.#findLineEnd(text, false);
    const rows: RawRow[] = [];
    let from = 0;
    if (end !== undefined) {
      for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, from)) {
        this.#take(text, from, at, rows);
        from = at + 1;
      }
    }
    this.#carry = from === 0 ? text : text.slice(from);
    if (this.#carry.length > MAX_LINE) this.#refuseLength();
    return rows;
  }

  /** The last line, when the text does not end with a line end. @throws FileRefused UNCLOSED_QUOTE */
  end(): RawRow[] {
    const rows: RawRow[] = [];
    if (this.#lineEnd === undefined && this.#findLineEnd(this.#carry, true) !== undefined) rows.push(...this.push(''));
    if (this.#carry.length > 0) {
      const before = rows.length;
      this.#take(this.#carry, 0, this.#carry.length, rows);
      this.#carry = '';
      this.unterminated = rows.length > before || this.#open;
    }
    if (this.#open) throw new FileRefused('UNCLOSED_QUOTE', '引号没有结束，文件可能不完整', { line: this.#openLine });
    return rows;
  }

  /** The first line decides: a lone CR later on is then part of a cell (or the other way round). */
  #findLineEnd(text: string, last: boolean): '\n' | '\r' | undefined {
    const lf = text.indexOf('\n');
    const cr = text.indexOf('\r');
    if (cr >= 0 && (lf < 0 || cr < lf)) {
      if (cr + 1 === text.length && !last) return undefined;
      this.#lineEnd = text[cr + 1] === '\n' ? '\n' : '\r';
    } else if (lf >= 0) this.#lineEnd = '\n';
    return this.#lineEnd;
  }

  #take(text: string, from: number, to: number, rows: RawRow[]): void {
    const line = this.#line++;
    const last = to > from && text.charCodeAt(to - 1) === 13 ? to - 1 : to;
    if (last - from > MAX_LINE) this.#refuseLength(line);
    const content = text.slice(from, last);
    if (this.#open || (this.#quotes && content.includes('"'))) {
      this.#takeQuoted(content, line, rows);
      return;
    }
    if (content.charCodeAt(0) <= 32 && content.trim() === '') return;
    if (content.length > 0) rows.push({ line, cells: content.split(this.#delimiter) });
  }

  #takeQuoted(content: string, line: number, rows: RawRow[]): void {
    if (this.#open) this.#field += '\n';
    else this.#openLine = line;
    this.#openLength += content.length + 1;
    if (this.#openLength > MAX_LINE) this.#refuseLength(this.#openLine);
    if (!this.#scan(content)) return;
    rows.push({ line: this.#openLine, cells: this.#cells });
    this.#cells = [];
    this.#openLength = 0;
  }

  /** Reads one physical line into the open record; false while a quoted field goes on in the next line. */
  #scan(content: string): boolean {
    let at = 0;
    let fresh = !this.#open;
    for (;;) {
      if (this.#open) {
        const quote = content.indexOf('"', at);
        this.#field += quote < 0 ? content.slice(at) : content.slice(at, quote);
        if (quote < 0) return false;
        const doubled = content[quote + 1] === '"';
        if (doubled) this.#field += '"';
        this.#open = doubled;
        at = quote + (doubled ? 2 : 1);
      } else if (fresh && content[at] === '"') {
        this.#open = true;
        at++;
      } else {
        const next = content.indexOf(this.#delimiter, at);
        this.#field += next < 0 ? content.slice(at) : content.slice(at, next);
        this.#cells.push(this.#field);
        this.#field = '';
        if (next < 0) return true;
        at = next + this.#delimiter.length;
        fresh = true;
        continue;
      }
      fresh = false;
    }
  }

  #refuseLength(line = this.#line): never {
    throw new FileRefused('LINE_TOO_LONG', '单行超过 1 MB，不是有效的报表', { line });
  }

  #refuseBinary(text: string): never {
    const before = text.slice(0, text.indexOf('\0'));
    const end = this.#lineEnd ?? '\n';
    throw new FileRefused('BINARY', '含有空字符（NUL），不是文本文件', {
      line: this.#line + before.split(end).length - 1,
    });
  }
}
