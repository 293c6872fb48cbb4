import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';

/** A value of the outermost object, or one item of an array that it holds. */
export interface JsonItem {
  key: string;
  /** Position in its array, from 0; undefined for a value that is no array. */
  index: number | undefined;
  value: unknown;
}

/** No item of a report comes near this; what does is no report. */
const MAX_ITEM = 4 * 1024 * 1024;

const damaged = (): FileRefused => new FileRefused('DAMAGED', '文件不是完整的 JSON');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

/** Walks through the text of one object, chunk by chunk, and hands out its parts as they end. */
class Walker {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Text since the last part ended: the key before its colon, then the value. */
  #part = '';
  #key: string | undefined;
  #index: number | undefined;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  *take(chunk: string): Generator<JsonItem> {
    for (const char of chunk) {
      yield* this.#step(char);
      if (this.#part.length > MAX_ITEM) throw new FileRefused('BOMB', '文件过大');
    }
  }

  *#step(char: string): Generator<JsonItem> {
    if (this.#inText) {
      this.#part += char;
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inText = false;
      return;
    }
    const outer = this.#index === undefined ? 1 : 2;
    if (char === '"') this.#inText = true;
    else if (char === '{' || char === '[') {
      this.#depth += 1;
      if (this.#depth === 1) return this.#open(char);
      if (this.#depth === 2 && char === '[' && this.#key !== undefined && this.#part.trim() === '') {
        this.#index = 0;
        return;
      }
    } else if (char === '}' || char === ']') {
      this.#depth -= 1;
      if (this.#depth < outer) {
        yield* this.#end();
        if (outer === 2) this.#index = undefined;
        else this.#ended = true;
        return;
      }
    } else if (char === ':' && this.#depth === 1 && this.#key === undefined) {
      this.#key = String(parsed(this.#part));
      this.#part = '';
      return;
    } else if (char === ',' && this.#depth === outer) {
      yield* this.#end();
      if (outer === 1) this.#key = undefined;
      return;
    }
    this.#part += char;
  }

  #open(char: string): void {
    if (char !== '{' || this.#ended || this.#part.replace(/^\uFEFF/, '').trim() !== '') throw damaged();
    this.#part = '';
  }

  *#end(): Generator<JsonItem> {
    const text = this.#part.trim();
    this.#part = '';
    if (text === '') return;
    if (this.#key === undefined) throw damaged();
    yield { key: this.#key, index: this.#index, value: parsed(text) };
    if (this.#index !== undefined) this.#index += 1;
  }
}

/**
 * The parts of a file that is one JSON object, as they come: values, and arrays item by item, so that memory use depends
 * on the largest item and not on the file. @throws FileRefused for what is no such file, or breaks off
 */
export async function* jsonItems(source: ByteSource): AsyncGenerator<JsonItem> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const walker = new Walker();
  let size = 0;
  for await (const bytes of source()) {
    size += bytes.length;
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw new FileRefused('CHARSET', '文件不是 UTF-8 编码');
    }
    yield* walker.take(text);
  }
  if (size === 0) throw new FileRefused('EMPTY', '文件为空');
  if (!walker.ended) throw damaged();
}
