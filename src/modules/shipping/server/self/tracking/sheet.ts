import { plainHeading } from '#kit/server/excel/headings.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';

/** Columns of the sheet, with the headings that carriers give them; those with an asterisk must be there. */
const COLUMNS = {
  reference: { title: '自发货单号/订单号*', also: ['单号', '自发货单号', '订单号', '平台订单', '客户单号'] },
  carrier: { title: '承运商', also: ['物流商', '物流公司', '快递公司'] },
  tracking: { title: '运单号*', also: ['追踪号', '快递单号', '跟踪号'] },
  weight: { title: '重量(g)', also: ['重量', '称重(g)'] },
  fee: { title: '实际运费', also: ['运费', '费用'] },
  currency: { title: '币种', also: ['结算币种'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const KEYS = Object.keys(COLUMNS) as Key[];
/** Heading of a column without its asterisk, as problems name it. */
export const titleOf = (key: Key): string => COLUMNS[key].title.replace('*', '');

const SAMPLE: Cells = {
  reference: 'ZF2601310001 或 111-1234567-1234567',
  carrier: 'UPS',
  tracking: '1Z999AA10123456784',
  weight: '350',
  fee: '28.50',
  currency: 'CNY',
};

/** A sheet with the headings and one row that says what goes where. */
export function templateFile(): FileReply {
  const columns = KEYS.map((key) => ({ key, title: COLUMNS[key].title, kind: 'text' as const, nullable: true }));
  const rows = (async function* (): AsyncGenerator<object> {
    yield SAMPLE;
  })();
  const body = exportStream(rows, { format: 'xlsx', sheet: '运单号', columns });
  return new FileReply('运单号导入模板.xlsx', MEDIA_TYPES.xlsx, body);
}

export interface SheetRow {
  /** As the user counts it: the heading is line 1. */
  line: number;
  cells: Cells;
}

/** Rows of a sheet by column, those that are empty or the template's left out; and the columns that are missing. */
export function rowsOf(table: readonly (readonly string[])[]): { rows: SheetRow[]; missing: string[] } {
  const heads = (table[0] ?? []).map(plainHeading);
  const places = new Map(
    KEYS.map((key) => {
      const { title, also } = COLUMNS[key];
      const known = [title, ...also].map(plainHeading);
      return [key, heads.findIndex((head) => known.includes(head))] as const;
    }),
  );
  const missing = KEYS.filter((key) => COLUMNS[key].title.endsWith('*') && (places.get(key) ?? -1) < 0).map(titleOf);
  const rows = table.slice(1).map((row, index) => ({
    line: index + 2,
    cells: Object.fromEntries(KEYS.map((key) => [key, (row[places.get(key) ?? -1] ?? '').trim()])) as Cells,
  }));
  const filled = rows.filter(({ cells }) => Object.values(cells).some(Boolean) && cells.reference !== SAMPLE.reference);
  return { rows: filled, missing };
}
