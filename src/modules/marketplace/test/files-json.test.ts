import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORPUS } from '#test/support/corpus.ts';
import { type ByteSource, bytesSource, FileRefused, salesAndTraffic, sniff } from '../server/files/index.ts';
import { jsonArrayItems } from '../server/files/json-array.ts';
import { type JsonItem, jsonItems } from '../server/files/json-items.ts';
import { collect } from './fixtures/build.ts';

const bytes = (text: string): ByteSource => bytesSource(Buffer.from(text));

async function itemsOf(source: ByteSource) {
  const found = [];
  for await (const item of jsonItems(source)) found.push(item);
  return found;
}

describe('a JSON document in parts', () => {
  const word = fc.constantFrom('a', 'b "c"', 'ü{[', '\\', ',', '中文', ']}');
  const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
  const item = fc.oneof(leaf, fc.dictionary(word, fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), { maxKeys: 4 }));
  const whole = fc.dictionary(word, fc.oneof(item, fc.array(item, { maxLength: 4 })), { maxKeys: 5 });

  it('is the same parts however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(whole, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (value, pretty, size) => {
        const plain = Buffer.from(JSON.stringify(value, null, pretty ? 2 : 0));
        const expected = Object.entries(value).flatMap(([key, each]): JsonItem[] =>
          Array.isArray(each)
            ? each.map((one, index) => ({ key, index, value: one }))
            : [{ key, index: undefined, value: each }],
        );
        const cut: ByteSource = async function* () {
          for (let at = 0; at < plain.length; at += size) yield plain.subarray(at, at + size);
        };
        expect(await itemsOf(cut)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('that breaks off, or is none, is refused', async () => {
    const text = JSON.stringify({ a: [{ b: 1 }, { b: 'x' }], c: { d: [1] } });
    for (let end = 1; end < text.length; end += 1) {
      await expect(itemsOf(bytes(text.slice(0, end))), text.slice(0, end)).rejects.toThrow(FileRefused);
    }
    for (const other of ['[1]', 'sku\tasin', '"a"', '{a:1}']) {
      await expect(itemsOf(bytes(other)), other).rejects.toThrow(FileRefused);
    }
  });
});

describe('a JSON array in parts', () => {
  const word = fc.constantFrom('a', 'b "c"', 'ü{[', '\\', ',', '中文', ']}');
  const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
  const item = fc.oneof(leaf, fc.dictionary(word, fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), { maxKeys: 4 }));

  async function textsOf(source: ByteSource): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const texts of jsonArrayItems(source)) found.push(...texts.map((text) => JSON.parse(text)));
    return found;
  }

  it('is the same items however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 5 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (value, pretty, size) => {
          const plain = Buffer.from(JSON.stringify(value, null, pretty ? 2 : 0));
          const cut: ByteSource = async function* () {
            for (let at = 0; at < plain.length; at += size) yield plain.subarray(at, at + size);
          };
          expect(await textsOf(cut)).toEqual(value);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('that breaks off, or is none, is refused', async () => {
    const text = JSON.stringify([{ b: 1 }, { b: 'x]' }, [1], 2]);
    for (let end = 0; end < text.length; end += 1) {
      await expect(textsOf(bytes(text.slice(0, end))), text.slice(0, end)).rejects.toThrow(FileRefused);
    }
    for (const other of ['{"a":[1]}', 'sku\tasin', '"a"', '[1,,2]', '[1,]', '[1] 2', '[1][2]', 'x[1]']) {
      await expect(textsOf(bytes(other)), other).rejects.toThrow(FileRefused);
    }
  });
});

const FILE = join(CORPUS, 'reports/sales-and-traffic-us-2024-02-trimmed.json');

describe.skipIf(!existsSync(FILE))('a real sales and traffic report', () => {
  it('is recognised, and of its twelve days the totals are taken', async () => {
    const plain = await readFile(FILE);
    expect(await sniff(plain.subarray(0, 65_536))).toMatchObject({ kind: 'report', type: salesAndTraffic.type });
    const reading = salesAndTraffic.read(bytesSource(plain));
    expect((await reading.header).warnings).toEqual([expect.stringContaining('只导入每日合计')]);
    const rows = await collect(reading.rows);
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatchObject({
      level: 'site',
      day: '2024-02-14',
      sales: '10614.69',
      units: 526,
      sessions: 2842,
      featured: '98.12',
    });
  });

  it('of one day brings its products, and the whole is refused when an item is not what it should be', async () => {
    const report = JSON.parse(await readFile(FILE, 'utf8'));
    report.reportSpecification.dataEndTime = report.reportSpecification.dataStartTime;
    const rows = await collect(salesAndTraffic.read(bytes(JSON.stringify(report))).rows);
    expect(rows.filter(({ level }) => level === 'parent')).toHaveLength(20);
    report.salesAndTrafficByAsin[3].trafficByAsin.sessions = 'many';
    await expect(collect(salesAndTraffic.read(bytes(JSON.stringify(report))).rows)).rejects.toThrow('第 4 项');
    report.reportSpecification.reportType = 'GET_SOMETHING_ELSE';
    await expect(salesAndTraffic.read(bytes(JSON.stringify(report))).header).rejects.toThrow(FileRefused);
  });
});
