import { z } from 'zod';
import { METRICS, type Metric, type Standing } from '../../contract/performance.ts';
import { FileRefused } from '../files/refusal.ts';
import type { ReportSource } from '../streams.ts';

/** A report of all sites of an account is some ten kilobytes per site. */
const MAX_BYTES = 8 * 1024 * 1024;

const Range = z.object({ reportingDateFrom: z.string().nullish(), reportingDateTo: z.string().nullish() }).nullish();
const NumberLike = z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)]).nullish();
const Whole = z.number().int().nullish();

/** One metric as the report has it; every metric has some of these. */
const RawMetric = z.looseObject({
  reportingDateRange: Range,
  status: z.string().nullish(),
  targetValue: NumberLike,
  targetCondition: z.string().nullish(),
  rate: NumberLike,
  orderCount: Whole,
  shipmentCount: Whole,
  shipmentCountWithValidTracking: Whole,
  totalUnitCount: Whole,
  defectsCount: Whole,
  ahrStatus: z.string().nullish(),
  ahrScore: NumberLike,
});
type RawMetric = z.infer<typeof RawMetric>;

const Report = z.looseObject({
  accountStatuses: z.array(z.object({ marketplaceId: z.string(), status: z.string() })).default([]),
  performanceMetrics: z.array(z.looseObject({ marketplaceId: z.string() })).default([]),
  errorDetails: z.string().optional(),
});

export interface SitePerformance {
  marketplaceId: string;
  standing: Standing;
  /** As the report has it. */
  payload: Record<string, unknown>;
  metrics: Metric[];
}

async function textOf(source: ReportSource): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source.open()) {
    size += part.length;
    if (size > MAX_BYTES) throw new FileRefused('BOMB', '文件过大');
    parts.push(part);
  }
  if (size === 0) throw new FileRefused('EMPTY', '文件为空');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new FileRefused('CHARSET', '文件不是 UTF-8 编码');
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FileRefused('DAMAGED', '文件不是完整的 JSON');
  }
}

const STANDINGS: readonly string[] = ['NORMAL', 'AT_RISK', 'DEACTIVATED'];
const standingOf = (text: string | undefined): Standing =>
  text !== undefined && STANDINGS.includes(text) ? (text as Standing) : 'UNKNOWN';

/** Decimal text of a JSON number: its shortest form, which is what the report printed. */
const decimal = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** The counted part of a rate goes by another name in each. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'orderDefectRate.afn': ['orderWithDefects', 'count'],
  'orderDefectRate.mfn': ['orderWithDefects', 'count'],
  invoiceDefectRate: ['invoiceDefect', 'count'],
  lateShipmentRate: ['lateShipmentCount'],
  preFulfillmentCancellationRate: ['cancellationCount'],
  validTrackingRate: ['validTrackingCount'],
  onTimeDeliveryRate: ['onTimeDeliveryCount'],
  unitOnTimeDeliveryRate: ['unitOnTimeDeliveryCount'],
};

function walk(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

function metricOf(key: string, raw: RawMetric): Metric {
  const part = walk(raw, PARTS[key] ?? ['']);
  const condition = raw.targetCondition === 'LESS_THAN' || raw.targetCondition === 'GREATER_THAN';
  return {
    key,
    value: decimal(raw.rate ?? raw.defectsCount ?? raw.ahrScore),
    target: decimal(raw.targetValue),
    condition: condition ? (raw.targetCondition as Metric['condition']) : null,
    orders: raw.orderCount ?? raw.shipmentCount ?? raw.shipmentCountWithValidTracking ?? raw.totalUnitCount ?? null,
    part: typeof part === 'number' && Number.isInteger(part) ? part : null,
    from: raw.reportingDateRange?.reportingDateFrom?.slice(0, 10) ?? null,
    to: raw.reportingDateRange?.reportingDateTo?.slice(0, 10) ?? null,
    amazon: raw.status ?? raw.ahrStatus ?? null,
  };
}

function siteOf(payload: Record<string, unknown> & { marketplaceId: string }, standing: Standing): SitePerformance {
  // Policy counters and the rating lie beside the rates, or one level down where the report groups them.
  const grouped = walk(payload, ['warningStates']);
  const metrics = METRICS.flatMap(({ key }) => {
    const path = key.split('.');
    const found = walk(payload, path) ?? walk(grouped, path);
    const raw = RawMetric.safeParse(found);
    return raw.success ? [metricOf(key, raw.data)] : [];
  });
  return { marketplaceId: payload.marketplaceId, standing, payload, metrics };
}

/**
 * What a performance report says of each site. @throws FileRefused for anything that is no such report; a failure that
 * Amazon wrote into the document instead is shown in its own words
 */
export async function readPerformance(source: ReportSource): Promise<SitePerformance[]> {
  const parsed = Report.safeParse(jsonOf(await textOf(source)));
  if (!parsed.success) throw new FileRefused('FOREIGN', '文件不是店铺绩效报告');
  const { accountStatuses, performanceMetrics, errorDetails } = parsed.data;
  if (errorDetails !== undefined) throw new FileRefused('FOREIGN', `亚马逊返回：${errorDetails.slice(0, 300)}`);
  if (performanceMetrics.length === 0 && accountStatuses.length === 0) {
    throw new FileRefused('FOREIGN', '文件不是店铺绩效报告');
  }
  const standings = new Map(accountStatuses.map((one) => [one.marketplaceId, standingOf(one.status)]));
  const sites = performanceMetrics.map((one) => siteOf(one, standings.get(one.marketplaceId) ?? 'UNKNOWN'));
  const silent = [...standings].filter(([id]) => !sites.some((site) => site.marketplaceId === id));
  return [
    ...sites,
    ...silent.map(([marketplaceId, standing]) => ({
      marketplaceId,
      standing,
      payload: { marketplaceId },
      metrics: [],
    })),
  ];
}
