import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CharsetMismatch, charsetCandidates, charsetOf, decode } from '../server/files/charset.ts';
import { bytesSource, readTable } from '../server/files/index.ts';
import { MAX_LINE, RowSplitter } from '../server/files/lines.ts';
import type { Encoding } from './fixtures/build.ts';
import { collect, encode, pieces, refusal } from './fixtures/build.ts';

const JP = 'A1VC38T7YXB528';
const DE = 'A1PA6795UKMFR9';
const US = 'ATVPDKIKX0DER';

async function decoded(bytes: Uint8Array, charset: Parameters<typeof decode>[1], size = 7): Promise<string> {
  let text = '';
  const chunks = pieces(bytes, size)();
  for await (const chunk of decode(chunks as AsyncIterable<Uint8Array>, charset)) text += chunk;
  return text;
}

const values = async (source: ReturnType<typeof bytesSource>, options = {}) => {
  const table = await readTable(source, options);
  return {
    headers: table.headers,
    charset: table.charset,
    rows: (await collect(table.rows())).map((row) => row.values),
  };
};

describe('charsets', () => {
  it('knows the labels Amazon sends, whole content types included', () => {
    expect(charsetOf('text/plain;charset=Cp1252')).toBe('windows-1252');
    expect(charsetOf('text/plain; charset="Shift_JIS"')).toBe('cp932');
    expect(charsetOf('Windows-31J')).toBe('cp932');
    expect(charsetOf('ISO-8859-1')).toBe('windows-1252');
    expect(charsetOf('text/tab-separated-values; charset=UTF-8')).toBe('utf-8');
    expect(charsetOf('klingon')).toBeUndefined();
  });

  it('decodes characters that the chunk borders cut, for every size of chunk', async () => {
    const samples: [string, Encoding, Parameters<typeof decode>[1]][] = [
      ['ステンレス水筒①Ⅳ髙﨑ｱｲｳ 500ml', 'cp932', 'cp932'],
      ['Größe – 12 € ’quoted’ Œuvre', 'windows-1252', 'windows-1252'],
      ['水筒 Größe 🚚 €', 'utf-8', 'utf-8'],
      ['水筒 Größe 🚚 €', 'utf-8-bom', 'utf-8'],
    ];
    for (const [text, encoding, charset] of samples) {
      const bytes = encode(text, encoding);
      for (let size = 1; size <= bytes.length; size++) expect(await decoded(bytes, charset, size)).toBe(text);
    }
  });

  it('refuses a byte that the charset does not have instead of putting U+FFFD', async () => {
    await expect(decoded(Buffer.from([0x41, 0x81, 0x42]), 'windows-1252')).rejects.toBeInstanceOf(CharsetMismatch);
    await expect(decoded(encode('Größe', 'windows-1252'), 'utf-8')).rejects.toBeInstanceOf(CharsetMismatch);
    await expect(decoded(Buffer.from([0x41, 0xff, 0x42]), 'cp932')).rejects.toBeInstanceOf(CharsetMismatch);
  });

  it('goes on with the next candidate: marketplace default when nothing is declared', async () => {
    const text = 'a\tb\tc\nüber\t1\t2\n';
    expect(charsetCandidates(undefined, JP)).toEqual(['utf-8', 'cp932']);
    expect((await values(bytesSource(encode(text, 'windows-1252')), { marketplaceId: DE })).charset).toBe(
      'windows-1252',
    );
    expect((await values(bytesSource(encode(text)), { marketplaceId: DE })).charset).toBe('utf-8');
    const japanese = await values(bytesSource(encode('a\tb\nあいう\t1\n', 'cp932')), { marketplaceId: JP });
    expect(japanese).toMatchObject({ charset: 'cp932', rows: [['あいう', '1']] });
  });

  it('does not believe a declaration that the bytes disprove', async () => {
    const utf8 = await values(bytesSource(encode('a\tb\nGrüße\t1\n')), { charset: 'Cp1252' });
    expect(utf8).toMatchObject({ charset: 'utf-8', rows: [['Grüße', '1']] });
    const kana = await values(bytesSource(encode('a\tb\nﾃｱ\t1\n', 'cp932')), { charset: 'Shift_JIS' });
    expect(kana).toMatchObject({ charset: 'cp932', rows: [['ﾃｱ', '1']] });
    const late = `a\tb\n${'x\t1\n'.repeat(50_000)}Größe\t1\n`;
    const bytes = encode(late, 'windows-1252');
    expect((await values(pieces(bytes, 65_536), { charset: 'UTF-8', marketplaceId: US })).rows.at(-1)).toEqual([
      'Größe',
      '1',
    ]);
  });

  it('refuses with the charsets it tried when none fits', async () => {
    const error = await refusal(readTable(bytesSource(Buffer.from([0x61, 0x09, 0x62, 0x0a, 0xff, 0xfe, 0x0a]))));
    expect(error.code).toBe('CHARSET');
    expect(error.message).toContain('utf-8');
  });

  it('reads a spreadsheet’s “Unicode text” (UTF-16)', async () => {
    expect(await values(bytesSource(encode('订单号\t数量\nA-1\t2\n', 'utf-16le')))).toMatchObject({
      headers: ['订单号', '数量'],
      rows: [['A-1', '2']],
    });
  });

  it('calls a file that ends inside a character damaged', async () => {
    const bytes = encode('a\tb\n水\t水');
    expect((await refusal(readTable(bytesSource(bytes.subarray(0, -1))))).code).toBe('DAMAGED');
    expect((await refusal(readTable(bytesSource(bytes.subarray(0, -1)), { marketplaceId: DE }))).code).toBe('DAMAGED');
  });
});

describe('gzip', () => {
  const text = `a\tb\n${Array.from({ length: 2000 }, (_, i) => `row ${i}\t${i * 7}`).join('\n')}\n`;

  it('is recognised by its bytes and unpacked in any pieces', async () => {
    const packed = gzipSync(text);
    for (const size of [1, 13, 100_000]) expect((await values(pieces(packed, size))).rows).toHaveLength(2000);
  });

  it('is refused wherever it is cut, and when a byte inside is wrong', async () => {
    const packed = gzipSync(text);
    for (let cut = 2; cut < packed.length; cut += 97) {
      expect((await refusal(readTable(bytesSource(packed.subarray(0, cut))))).message).toContain('文件已损坏或不完整');
    }
    const broken = Buffer.from(packed);
    broken[packed.length - 6] = (broken[packed.length - 6] ?? 0) ^ 0xff;
    expect((await refusal(readTable(bytesSource(broken)))).code).toBe('DAMAGED');
  });

  it('is refused when it unpacks to more than 100 times its size', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a\tb\n'));
    expect((await refusal(readTable(bytesSource(bomb)))).code).toBe('BOMB');
  });
});

/** Splits text pushed in pieces of a given size. */
function split(text: string, size: number, quotes: boolean, delimiter = quotes ? ',' : '\t') {
  const splitter = new RowSplitter({ delimiter, quotes });
  const rows = [];
  for (let at = 0; at < text.length; at += size) rows.push(...splitter.push(text.slice(at, at + size)));
  rows.push(...splitter.end());
  return { rows: rows.map((row) => [row.line, ...row.cells]), unterminated: splitter.unterminated };
}

describe('lines', () => {
  it('takes LF, CRLF and CR, whatever the chunks, and counts blank lines', () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      const text = ['a\tb', '', '1\t2', '3\t4'].join(eol) + eol;
      for (let size = 1; size <= text.length; size++) {
        expect(split(text, size, false)).toEqual({
          rows: [
            [1, 'a', 'b'],
            [3, '1', '2'],
            [4, '3', '4'],
          ],
          unterminated: false,
        });
      }
    }
    expect(split('a\tb\n1\t2', 3, false).unterminated).toBe(true);
  });

  it('never parses quotes in tab separated text', () => {
    expect(split('a\tb\n"5"" pipe\t"x\n', 4, false).rows[1]).toEqual([2, '"5"" pipe', '"x']);
  });

  it('parses RFC 4180 quotes in CSV, over line ends and chunk borders', () => {
    const text = 'a,b,c\r\n"x, ""y""\r\nz",2,"3"\r\nplain 5" pipe,"",\r\n';
    for (let size = 1; size <= text.length; size++) {
      expect(split(text, size, true).rows).toEqual([
        [1, 'a', 'b', 'c'],
        [2, 'x, "y"\nz', '2', '3'],
        [4, 'plain 5" pipe', '', ''],
      ]);
    }
  });

  it('gives back what was written, for any cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '水', '"', ',', '\n', ' ', '-', '1') });
    const table = fc.array(fc.tuple(fc.constant('k'), cell, cell), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 30 }), (rows, size) => {
        const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        const read = split(`${text}\r\n`, size, true).rows.map(([, ...cells]) => cells);
        expect(read).toEqual(rows);
      }),
    );
  });

  it('names the line of a NUL byte, of an endless line and of an open quote', async () => {
    const nul = await refusal(readTable(bytesSource(encode('a\tb\n1\t2\n3\t\u0000\n'))));
    expect([nul.code, nul.line]).toEqual(['BINARY', 3]);
    const long = await refusal(readTable(pieces(encode(`a\tb\n1\t2\n${'x'.repeat(MAX_LINE + 10)}\t1\n`), 50_000)));
    expect([long.code, long.line]).toEqual(['LINE_TOO_LONG', 3]);
    const open = await refusal(readTable(bytesSource(encode('a,b\n1,2\n"3,4\n5,6\n'))));
    expect([open.code, open.line]).toEqual(['UNCLOSED_QUOTE', 3]);
  });

  it('refuses nothing and a header alone that was cut', async () => {
    expect((await refusal(readTable(bytesSource()))).code).toBe('EMPTY');
    expect((await refusal(readTable(bytesSource(encode('\n\n'))))).code).toBe('EMPTY');
    expect((await refusal(readTable(bytesSource(encode('a\tb\tc'))))).code).toBe('DAMAGED');
  });
});
