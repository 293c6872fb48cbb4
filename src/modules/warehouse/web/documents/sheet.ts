import { columnsOf } from '#kit/contract/columns.ts';
import type { Product } from '#kit/contract/field.ts';
import { LineRow } from '../../contract/documents/fields.ts';
import type { Head, LineKey, WebKind } from './kinds.ts';

const STYLE = `
@page { size: A4 portrait; margin: 12mm 10mm 14mm; }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; color: #111; background: #fff; font: 12px/1.5 "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
h1 { margin: 0 0 2px; font-size: 20px; text-align: center; letter-spacing: 4px; }
.number { margin: 0 0 10px; text-align: center; font-size: 13px; }
dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: 4px 16px; margin: 0 0 8px; padding-bottom: 8px; border-bottom: 2px solid #111; }
dl div { display: flex; gap: 6px; }
dt { color: #555; white-space: nowrap; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 5px 6px; text-align: left; border: 1px solid #999; vertical-align: middle; }
th { background: #f1f1f1; font-weight: 600; white-space: nowrap; }
.right { text-align: right; font-variant-numeric: tabular-nums; }
.product b { display: block; font-weight: 600; }
.product span { color: #555; font-size: 11px; }
.write { min-width: 64px; }
footer { display: flex; justify-content: space-between; margin-top: 28px; }
footer span { min-width: 160px; border-bottom: 1px solid #999; padding-bottom: 2px; }
@media print { body { padding: 0; } }
`;

/** Day in Beijing, as the numbers of documents have it. */
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' });

/** Text as HTML: what people wrote stays text. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const NUMBERS: readonly LineKey[] = ['lineNo', 'qty', 'doneQty', 'pickedQty', 'bookQty', 'qtyPer'];
const ON_PAPER: Partial<Record<LineKey, string>> = { doneQty: '实收', pickedQty: '实拣', countedQty: '盘点数' };
/** Left open to be written by hand. */
const BY_HAND: Partial<Record<string, readonly LineKey[]>> = {
  'warehouse/inbound': ['doneQty'],
  'warehouse/outbound': ['pickedQty'],
  'warehouse/transfer': ['doneQty'],
  'warehouse/stocktake': ['countedQty'],
};

function cell(kind: WebKind, key: LineKey, line: LineRow): string {
  const value = line[key];
  const empty = BY_HAND[kind.name]?.includes(key) && !value;
  if (empty) return '<td class="write"></td>';
  if (key === 'product' || key === 'toProduct') {
    const product = value as Product | null;
    return `<td class="product"><b>${escaped(product?.code ?? '')}</b><span>${escaped(product?.name ?? '')}</span></td>`;
  }
  const text = value === null || value === undefined ? '' : String(value);
  return `<td${NUMBERS.includes(key) ? ' class="right"' : ''}>${escaped(text)}</td>`;
}

function factsOf(kind: WebKind, head: Head): [string, string][] {
  const type = kind.row.shape.type?.meta()?.states?.[head.type]?.title ?? head.type;
  return [
    ['类型', type],
    ['仓库', head.warehouse],
    ...(head.toWarehouse ? [['调入仓库', head.toWarehouse] as [string, string]] : []),
    ...(head.partner ? [['往来单位', head.partner] as [string, string]] : []),
    ...(head.product ? [['主产品', `${head.product.code} × ${head.qty ?? 0}`] as [string, string]] : []),
    ...(head.plannedOn ? [['预计日期', head.plannedOn] as [string, string]] : []),
    ['SKU数', String(head.skuCount ?? 0)],
    ['制单人', head.createdByName ?? ''],
    ['制单日期', head.createdAt ? DAY.format(new Date(head.createdAt)) : ''],
    ...(head.remark ? [['备注', head.remark] as [string, string]] : []),
  ];
}

/** The sheet of a document as a page of its own, A4 portrait, its header row on every page. */
export function sheetHtml(kind: WebKind, head: Head, lines: readonly LineRow[]): string {
  const blind = kind.name === 'warehouse/stocktake' && head.blind === true;
  const keys = kind.sheet.columns.filter((key) => !(blind && key === 'bookQty'));
  const titles = new Map(columnsOf(LineRow).map((column) => [column.key, column.title]));
  const heads = keys.map((key) => `<th>${escaped(ON_PAPER[key] ?? titles.get(key) ?? '')}</th>`).join('');
  const rows = lines.map((line) => `<tr>${keys.map((key) => cell(kind, key, line)).join('')}</tr>`).join('');
  const facts = factsOf(kind, head)
    .map(([title, text]) => `<div><dt>${escaped(title)}</dt><dd>${escaped(text)}</dd></div>`)
    .join('');
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escaped(head.number)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(kind.sheet.title)}</h1><p class="number">${escaped(head.number)}</p><dl>${facts}</dl>
<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>
<footer><span>制单：</span><span>作业：</span><span>审核：</span></footer></body></html>`;
}
