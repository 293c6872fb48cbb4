import { z } from 'zod';
import { jsonItems } from './json-items.ts';
import { type FileFacts, type FileReader, lazyReading } from './reader.ts';
import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';

/** What was asked for, as the report repeats it. Days of the marketplace; '' in a report that knows no period. */
const Specification = z.object({
  reportType: z.string(),
  dataStartTime: z.iso.date().default(''),
  dataEndTime: z.iso.date().default(''),
  reportOptions: z.record(z.string(), z.string()).default({}),
});
export type JsonSpecification = z.infer<typeof Specification>;

export interface JsonReport<Row> {
  type: string;
  title: string;
  /** Asked for by its options alone: the report repeats no period. */
  undated?: true;
  /** What items of an array become; arrays that are not named are passed over. */
  items: Readonly<Record<string, (item: never, specification: JsonSpecification) => Row | undefined>>;
  /** How an item of an array must look. */
  shapes: Readonly<Record<string, z.ZodType>>;
  /** Remarks on a whole file, in Chinese. */
  warnings?: (specification: JsonSpecification) => string[];
}

/** Word for a header that a JSON report does not have: what the first bytes of one are told as. */
export const JSON_HEADER = 'reportSpecification';

/** Under what name a report that could not be made says why. */
const REASONS: ReadonlySet<string> = new Set(['errorDetails', 'reportRequestError']);

async function specificationOf(
  { type, title, undated }: Pick<JsonReport<never>, 'type' | 'title' | 'undated'>,
  source: ByteSource,
): Promise<JsonSpecification> {
  for await (const { key, index, value } of jsonItems(source)) {
    if (REASONS.has(key)) throw new FileRefused('FOREIGN', `亚马逊返回：${String(value).slice(0, 300)}`);
    if (key !== JSON_HEADER) {
      if (index !== undefined) break;
      continue;
    }
    const parsed = Specification.safeParse(value);
    if (!parsed.success || parsed.data.reportType !== type) break;
    if (!undated && (parsed.data.dataStartTime === '' || parsed.data.dataEndTime === '')) break;
    return parsed.data;
  }
  throw new FileRefused('FOREIGN', `文件不是${title}`);
}

function read<Row>(report: JsonReport<Row>, source: ByteSource) {
  let specification: Promise<JsonSpecification> | undefined;
  const asked = () => {
    specification ??= specificationOf(report, source);
    return specification;
  };
  async function* rows(): AsyncGenerator<Row[]> {
    const of = await asked();
    for await (const { key, index, value } of jsonItems(source)) {
      const make = report.items[key];
      const shape = report.shapes[key];
      if (index === undefined || !make || !shape) continue;
      const item = shape.safeParse(value);
      // An item has no line of its own to be put right in: the report as a whole is not what it says to be.
      if (!item.success) throw new FileRefused('VALUE', `${key} 第 ${index + 1} 项无法读取`);
      const row = make(item.data as never, of);
      if (row !== undefined) yield [row];
    }
  }
  async function survey(): Promise<FileFacts> {
    const of = await asked();
    let count = 0;
    for await (const batch of rows()) count += batch.length;
    return {
      type: report.type,
      title: report.title,
      charset: 'utf-8',
      gzip: false,
      delimiter: '',
      headers: [],
      extraHeaders: [],
      decimal: 'point',
      dayOrder: 'month-first',
      timeZone: 'UTC',
      rows: count,
      warnings: report.warnings?.(of) ?? [],
    };
  }
  return lazyReading(survey, rows);
}

/** A reader of a report that is a JSON document, in constant memory. */
export function jsonReader<Row>(report: JsonReport<Row>): FileReader<Row> {
  const fits = (headers: readonly string[]): boolean => headers.includes(JSON_HEADER) && headers.includes(report.type);
  return {
    type: report.type,
    title: report.title,
    matches: (headers) => (fits(headers) ? 1 : 0),
    missing: (headers) => (fits(headers) ? [] : [JSON_HEADER]),
    read: (source) => read(report, source),
  };
}
