import { plainHeading } from '#kit/server/excel/headings.ts';

/** Headings of a sheet of tracking numbers; a box is named by our number or by Amazon's. */
export const TRACKING_COLUMNS = ['箱号', '亚马逊箱号', '货件编号', '追踪号'] as const;
type Column = (typeof TRACKING_COLUMNS)[number];
type Cells = Record<Column, string>;

/** As Amazon takes it. */
const LONGEST = 64;

export interface Parcel {
  no: number;
  amazonBoxId: string | null;
  shipmentNo: string;
  trackingNo: string;
}

export interface TrackingProblem {
  line: number;
  column: Column;
  value: string;
  reason: string;
}

export interface ReadTracking {
  rows: number;
  problems: TrackingProblem[];
  parcels: { no: number; trackingNo: string }[];
}

type Wrong = { column: Column; reason: string };

/** The sheet of an order's boxes. */
export const trackingRows = (parcels: readonly Parcel[]): string[][] => [
  [...TRACKING_COLUMNS],
  ...parcels.map(({ no, amazonBoxId, shipmentNo, trackingNo }) => [
    String(no),
    amazonBoxId ?? '',
    shipmentNo,
    trackingNo,
  ]),
];

/** The box that a line names: both numbers must mean the same one where both are filled in. */
function boxOf({ 箱号: no, 亚马逊箱号: amazon }: Cells, parcels: readonly Parcel[]): Parcel | Wrong {
  const mine = parcels.find((one) => String(one.no) === no.replace(/\.0+$/, ''));
  const theirs = parcels.find((one) => one.amazonBoxId !== null && one.amazonBoxId === amazon.toUpperCase());
  if (no === '' && amazon === '') return { column: '箱号', reason: '请填写箱号' };
  if (no !== '' && !mine) return { column: '箱号', reason: '没有这一箱，或由亚马逊合作承运，无需填写' };
  if (amazon !== '' && !theirs) return { column: '亚马逊箱号', reason: '没有这个亚马逊箱号' };
  if (mine && theirs && mine !== theirs) return { column: '亚马逊箱号', reason: `与第 ${mine.no} 箱不一致` };
  return (mine ?? theirs) as Parcel;
}

/** Reads a sheet whole: lines without a number are left out, others name a box once, or are named with the reason. */
export function readTracking(table: readonly (readonly string[])[], parcels: readonly Parcel[]): ReadTracking {
  const heads = (table[0] ?? []).map(plainHeading);
  const at = new Map(TRACKING_COLUMNS.map((title) => [title, heads.indexOf(plainHeading(title))]));
  const has = (title: Column) => (at.get(title) ?? -1) >= 0;
  const found: ReadTracking = { rows: 0, problems: [], parcels: [] };
  const missing: Column[] = [
    ...(has('箱号') || has('亚马逊箱号') ? [] : ['箱号' as const]),
    ...(has('追踪号') ? [] : ['追踪号' as const]),
  ];
  if (missing.length > 0) {
    found.problems = missing.map((column) => ({ line: 1, column, value: '', reason: `缺少列【${column}】` }));
    return found;
  }
  const seen = new Map<number, number>();
  for (const [index, row] of table.slice(1).entries()) {
    const cells = Object.fromEntries(
      TRACKING_COLUMNS.map((one) => [one, (row[at.get(one) ?? -1] ?? '').trim()]),
    ) as Cells;
    if (cells.追踪号 === '') continue;
    found.rows += 1;
    const line = index + 2;
    const put = ({ column, reason }: Wrong) => found.problems.push({ line, column, value: cells[column], reason });
    const box = boxOf(cells, parcels);
    if ('reason' in box) put(box);
    else if (cells.追踪号.length > LONGEST) put({ column: '追踪号', reason: `追踪号不能超过${LONGEST}个字符` });
    else if (seen.has(box.no)) put({ column: '箱号', reason: `与第 ${seen.get(box.no)} 行是同一箱` });
    else found.parcels.push({ no: box.no, trackingNo: cells.追踪号 });
    if (!('reason' in box)) seen.set(box.no, seen.get(box.no) ?? line);
  }
  if (found.rows === 0) found.problems.push({ line: 2, column: '追踪号', value: '', reason: '没有填写追踪号' });
  return found;
}
