import { marketStyle } from './markets.ts';
import { FileRefused } from './refusal.ts';

/** Charsets that Amazon's files and the spreadsheets of sellers come in. `cp932` is Windows' Shift_JIS. */
export type Charset = 'utf-8' | 'utf-16le' | 'windows-1252' | 'cp932';

/** Thrown when bytes cannot be text of the charset being tried: the caller goes on with the next candidate. */
export class CharsetMismatch extends Error {
  readonly charset: Charset;
  constructor(charset: Charset) {
    super(`not ${charset}`);
    this.name = 'CharsetMismatch';
    this.charset = charset;
  }
}

const LABELS: Record<string, Charset> = {
  utf8: 'utf-8',
  usascii: 'utf-8',
  ascii: 'utf-8',
  utf16le: 'utf-16le',
  cp1252: 'windows-1252',
  windows1252: 'windows-1252',
  iso88591: 'windows-1252',
  iso885915: 'windows-1252',
  latin1: 'windows-1252',
  shiftjis: 'cp932',
  sjis: 'cp932',
  xsjis: 'cp932',
  windows31j: 'cp932',
  ms932: 'cp932',
  cp932: 'cp932',
};

/**
 * The charset behind a label of a `Content-Type` (or a whole `Content-Type` value); undefined for an unknown one.
 * ISO-8859-1 means windows-1252, as every browser takes it: the C1 controls never stand in a report, € and ’ do.
 */
export function charsetOf(label: string | undefined): Charset | undefined {
  if (!label) return undefined;
  const name = /charset\s*=\s*"?([^\s";]+)/i.exec(label)?.[1] ?? label;
  return LABELS[name.toLowerCase().replace(/[^a-z0-9]/g, '')];
}

/** Charset proved by a byte order mark, and the length of the mark. */
export function bomOf(head: Uint8Array): { charset: Charset; length: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { charset: 'utf-8', length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { charset: 'utf-16le', length: 2 };
  return undefined;
}

/**
 * Charsets to try, best first. Strict UTF-8 stands before the declared charset because text of another charset that is
 * valid UTF-8 by accident does not occur in practice, while a wrong declaration does (see `accepts`); pure ASCII
 * reads the same either way.
 */
export function charsetCandidates(declared: Charset | undefined, marketplaceId: string | undefined): Charset[] {
  const market = marketStyle(marketplaceId);
  const list: Charset[] = ['utf-8'];
  if (declared) list.push(declared);
  if (market) {
    list.push(market.charset);
    // Western sites sometimes send windows-1252 without saying so; Japanese bytes read as windows-1252 are rubbish.
    if (market.charset !== 'cp932') list.push('windows-1252');
  }
  return [...new Set(list)];
}

/**
 * Text of a byte stream in one charset, strictly: a single impossible byte ends it. Safe for any chunk borders; a
 * byte order mark is dropped.
 * @param declared what the sender said, if anything: weak evidence for UTF-8 must not overrule it.
 * @throws CharsetMismatch, or FileRefused DAMAGED when the stream ends inside a character.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  charset: Charset,
  declared?: Charset,
): AsyncGenerator<string> {
  if (charset === 'windows-1252') {
    for await (const chunk of bytes) yield decode1252(chunk);
    return;
  }
  const decoder = new TextDecoder(charset === 'cp932' ? 'shift_jis' : charset, { fatal: true });
  let multibyte = false;
  let wide = false;
  for await (const chunk of bytes) {
    const text = strictly(charset, () => decoder.decode(chunk, { stream: true }));
    multibyte ||= /[\u0080-\uffff]/.test(text);
    if (declared === 'cp932') wide ||= /[\u0800-\uffff]/.test(text);
    if (text.length > 0) yield text;
  }
  try {
    const tail = decoder.decode();
    if (tail.length > 0) yield tail;
  } catch {
    if (multibyte) throw new FileRefused('DAMAGED', '文件已损坏或不完整（末尾的字符被截断）');
    throw new CharsetMismatch(charset);
  }
  // Two-byte sequences alone may be half-width katakana of a Shift_JIS file; three-byte ones are proof of UTF-8.
  if (charset === 'utf-8' && declared === 'cp932' && multibyte && !wide) throw new CharsetMismatch(charset);
}

function strictly(charset: Charset, decodeChunk: () => string): string {
  try {
    return decodeChunk();
  } catch {
    throw new CharsetMismatch(charset);
  }
}

/** Characters of windows-1252 in 0x80 to 0x9F; '' marks the five bytes that mean nothing. */
const HIGH_1252 = ['€', '', ...'‚ƒ„…†‡ˆ‰Š‹Œ', '', 'Ž', '', '', ...'‘’“”•–—˜™š›œ', '', ...'žŸ'];
const C1 = /[\u0080-\u009f]/g;

/** Decodes one chunk; Latin-1 first because that is a plain copy, then the 32 characters in which the two differ. */
function decode1252(chunk: Uint8Array): string {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
  return text.replace(C1, (character) => {
    const meant = HIGH_1252[character.charCodeAt(0) - 0x80];
    if (!meant) throw new CharsetMismatch('windows-1252');
    return meant;
  });
}
