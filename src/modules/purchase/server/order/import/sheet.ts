import { plainHeading } from '#kit/server/excel/headings.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';

/** Columns of the sheet, with the headings that other systems give them; those with an asterisk must be there. */
const COLUMNS = {
  supplier: { title: '供应商*', also: ['供应商简称', '供应商编码', '供应商名称'] },
  warehouse: { title: '入库仓*', also: ['仓库', '收货仓'] },
  sku: { title: 'SKU*', also: ['本地SKU', '商品SKU'] },
  qty: { title: '采购数量*', also: ['数量'] },
  price: { title: '含税单价', also: ['单价', '采购单价'] },
  currency: { title: '币种', also: [] },
  gift: { title: '赠品', also: [] },
  expected: { title: '要求到货', also: ['预计到货', '期望到货'] },
  remark: { title: '备注', also: ['明细备注'] },
  mark: { title: '分单标识', also: ['单据标识'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const KEYS = Object.keys(COLUMNS) as Key[];
/** Heading of a column without its asterisk, as problems name it. */
export const titleOf = (key: Key): string => COLUMNS[key].title.replace('*', '');

const SAMPLE: Cells = {
  supplier: '供应商简称或编码',
  warehouse: '仓库名称',
  sku: 'SKU-001',
  qty: '100',
  price: '留空取供应商报价',
  currency: 'CNY',
  gift: '否',
  expected: '2026-01-31',
  remark: '',
  mark: '同一供应商分成几单时填写',
};

/** A sheet with the headings and one row that says what goes where. */
export function templateFile(): FileReply {
  const columns = KEYS.map((key) => ({ key, title: COLUMNS[key].title, kind: 'text' as const, nullable: true }));
  const rows = (async function* (): AsyncGenerator<object> {
    yield SAMPLE;
  })();
  return new FileReply(
    '采购单导入模板.xlsx',
    MEDIA_TYPES.xlsx,
    exportStream(rows, { format: 'xlsx', sheet: '采购单', columns }),
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
  const filled = rows.filter(({ cells }) => Object.values(cells).some(Boolean) && cells.supplier !== SAMPLE.supplier);
  return { rows: filled, missing };
}
