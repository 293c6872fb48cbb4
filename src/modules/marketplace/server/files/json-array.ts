import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';

/** No item of a report comes near this; what does is no report. */
const MAX_ITEM = 4 * 1024 * 1024;
const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 92, 93, 123, 125];

const damaged = (): FileRefused => new FileRefused('DAMAGED', '文件不是完整的 JSON');
const isBlank = (text: string): boolean => text.replace(/^\uFEFF/, '').trim() === '';

/** Walks through the text of one array, chunk by chunk, and cuts it into the texts of its items. */
class Walker {
  #depth = 0;
  #inText = false;
  #escaped = false;
  #started = false;
  #items = 0;
  /** What of the item at hand came with earlier chunks. */
  #part = '';

  get ended(): boolean {
    return this.#started && this.#depth === 0;
  }

  take(chunk: string): string[] {
    const found: string[] = [];
    let begin = 0;
    const end = (at: number, last: boolean) => {
      const text = this.#part + chunk.slice(begin, at);
      this.#part = '';
      begin = at + 1;
      // Only an array without items may have nothing before its end.
      if (text.trim() !== '') found.push(text);
      else if (!last || this.#items > 0) throw damaged();
      this.#items += 1;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inText = false;
      } else if (code === QUOTE) this.#inText = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#depth > 1) continue;
        if (code !== OPEN_LIST || this.#started || !isBlank(this.#part + chunk.slice(begin, at))) throw damaged();
        this.#started = true;
        this.#part = '';
        begin = at + 1;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (this.#depth < 0) throw damaged();
        if (this.#depth === 0) end(at, true);
      } else if (code === COMMA && this.#depth === 1) end(at, false);
    }
    this.#part += chunk.slice(begin);
    if (this.#part.length > MAX_ITEM) throw new FileRefused('BOMB', '文件过大');
    if (this.ended && !isBlank(this.#part)) throw damaged();
    return found;
  }
}

/**
 * The items of a file that is one JSON array, as their texts, some at a time: memory use depends on the largest item and not
 * on the file. What an item's text means is left to the caller. @throws FileRefused for what is no such file, or breaks off
 */
export async function* jsonArrayItems(source: ByteSource): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const walker = new Walker();
  for await (const bytes of source()) {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch {
      throw new FileRefused('CHARSET', '文件不是 UTF-8 编码');
    }
    const items = walker.take(text);
    if (items.length > 0) yield items;
  }
  if (!walker.ended) throw damaged();
}
