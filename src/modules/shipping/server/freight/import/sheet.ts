import { plainHeading } from '#kit/server/excel/headings.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';

/** Columns of the sheet, with the headings that carriers give them; those with an asterisk must be there. */
const COLUMNS = {
  carrier: { title: '物流商*', also: ['货代', '物流公司', '承运商'] },
  billNo: { title: '账单号*', also: ['账单编号', '对账单号'] },
  day: { title: '账单日期*', also: ['日期', '出账日期'] },
  currency: { title: '币种', also: ['结算币种'] },
  reference: { title: '发货单/货件/追踪号*', also: ['单号', '发货单号', '货件编号', '追踪号', '运单号', '客户单号'] },
  kind: { title: '费用类型', also: ['费用名称', '费用项目', '类型'] },
  amount: { title: '金额*', also: ['费用', '应收金额', '总金额'] },
  weight: { title: '计费重', also: ['收费重', '计费重量', '结算重'] },
  remark: { title: '备注', also: ['说明'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const KEYS = Object.keys(COLUMNS) as Key[];
/** Heading of a column without its asterisk, as problems name it. */
export const titleOf = (key: Key): string => COLUMNS[key].title.replace('*', '');

const SAMPLE: Cells = {
  carrier: '物流商名称或简码',
  billNo: '同一账单号的行合成一张账单',
  day: '2026-01-31',
  currency: 'CNY',
  reference: 'FH2601310001',
  kind: '运费',
  amount: '663.21',
  weight: '64',
  remark: '',
};

/** A sheet with the headings and one row that says what goes where. */
export function templateFile(): FileReply {
  const columns = KEYS.map((key) => ({ key, title: COLUMNS[key].title, kind: 'text' as const, nullable: true }));
  const rows = (async function* (): AsyncGenerator<object> {
    yield SAMPLE;
  })();
  return new FileReply(
    '物流账单导入模板.xlsx',
    MEDIA_TYPES.xlsx,
    exportStream(rows, { format: 'xlsx', sheet: '物流账单', columns }),
  );
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
      const names = [title, ...also].map(plainHeading);
      return [key, heads.findIndex((head) => names.includes(head))] as const;
    }),
  );
  const missing = KEYS.filter((key) => COLUMNS[key].title.endsWith('*') && (places.get(key) ?? -1) < 0).map(titleOf);
  const rows = table.slice(1).map((row, index) => ({
    line: index + 2,
    cells: Object.fromEntries(KEYS.map((key) => [key, (row[places.get(key) ?? -1] ?? '').trim()])) as Cells,
  }));
  const filled = rows.filter(({ cells }) => Object.values(cells).some(Boolean) && cells.carrier !== SAMPLE.carrier);
  return { rows: filled, missing };
}
