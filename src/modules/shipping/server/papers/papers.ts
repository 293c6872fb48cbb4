import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { PrintColumn, SheetField } from '#kit/server/pdf/sheet.ts';
import type { PaperRow } from '../../contract/papers/papers.ts';
import { amountsOf, productPieces, weightOf, whole } from './goods.ts';
import type { PaperFacts } from './read.ts';

/** A paper before it is written: the same for Excel and PDF. Cells of columns to the right are numbers where they are known. */
export interface Paper {
  title: string;
  /** Of the file. */
  name: string;
  english: boolean;
  head: SheetField[];
  columns: PrintColumn[];
  rows: string[][];
  totals: string[];
  notes: string[];
}

/** Stands where something is not known. */
const OPEN = '[?]';
const LEFT_OUT = '【待补】';
const NOTE = `${OPEN} to be completed before use`;

const open = (text: string | null | undefined): string => text || OPEN;
const leftOut = (text: string | null | undefined): string => text || LEFT_OUT;
const plain = (text: string | null): string | null => (text === null ? null : plainDecimal(text));

const TRANSPORT = { SEA: 'Sea freight', AIR: 'Air freight', EXPRESS: 'Express', RAIL: 'Rail', TRUCK: 'Truck' } as const;

const countryName = (code: string): string => new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;

function englishHead(facts: PaperFacts, number: string): SheetField[] {
  const { order, shipper, company, center, country, day } = facts;
  return [
    { title: number, value: order.number },
    { title: 'Date', value: day },
    { title: 'Shipment ID', value: open(order.shipmentNo) },
    { title: 'Shipper', value: shipper?.name ?? company },
    { title: 'Consignee', value: `Amazon FBA ${open(center)}` },
    { title: 'Destination', value: countryName(country) },
    { title: 'Transport', value: TRANSPORT[order.transport] },
    { title: 'Cartons', value: facts.boxes.length > 0 ? String(facts.boxes.length) : OPEN },
    { title: 'Trade terms', value: OPEN },
  ];
}

const parties = ({ shipper, center, country }: PaperFacts): string[] => [
  `Shipper's address: ${open(shipper?.address)}`,
  `Consignee's address: Amazon fulfilment centre ${open(center)}, ${countryName(country)}`,
  NOTE,
];

const piecesOf = (rows: readonly PaperRow[]): string => String(rows.reduce((total, row) => total + row.pieces, 0));

/** Commercial invoice: what the goods are worth at the customs abroad. */
export function invoice(facts: PaperFacts): Paper {
  const { rows } = facts;
  const amounts = amountsOf(rows);
  return {
    title: 'COMMERCIAL INVOICE',
    name: '商业发票',
    english: true,
    head: englishHead(facts, 'Invoice No.'),
    columns: [
      { title: '#', share: 26, right: true },
      { title: 'SKU', share: 110 },
      { title: 'Description of goods', share: 190 },
      { title: 'HS code', share: 90 },
      { title: 'Brand', share: 80 },
      { title: 'Quantity', share: 60, right: true },
      { title: 'Unit price', share: 70, right: true },
      { title: 'Currency', share: 56 },
      { title: 'Amount', share: 80, right: true },
    ],
    rows: rows.map((row, index) => [
      String(index + 1),
      row.product.code,
      open(row.nameEn),
      open(row.importHs ?? row.hsCode),
      open(row.brand),
      String(row.pieces),
      open(plain(row.value)),
      open(row.currency),
      open(row.amount),
    ]),
    totals: [
      '',
      'Total',
      '',
      '',
      '',
      piecesOf(rows),
      '',
      amounts.map((one) => one.currency).join(' / '),
      rows.some((row) => row.amount === null) ? OPEN : amounts.map((one) => one.amount).join(' / '),
    ],
    notes: parties(facts),
  };
}

/** m³ of a box with four decimals; null where a side was not measured. */
function cubic({ length, width, height }: PaperFacts['boxes'][number]): string | null {
  if (length === null || width === null || height === null) return null;
  return new Decimal(length).times(width).times(height).div(1_000_000).toFixed(4);
}

/** Packing list: what lies in which carton; sizes and weight stand with the first product of each. */
export function packingList(facts: PaperFacts): Paper {
  const { rows, boxes, order } = facts;
  const known = new Map(rows.map((row) => [row.id, row]));
  const lines = boxes.flatMap((box) => {
    const size =
      box.length && box.width && box.height ? [box.length, box.width, box.height].map(plainDecimal).join('×') : null;
    return [...productPieces(order.parts, box.items)].map(([product, pieces], index) => {
      const row = known.get(product);
      const each = row?.net ? new Decimal(row.net).div(row.pieces).toFixed() : null;
      const first = index === 0;
      return [
        first ? String(box.no) : '',
        row?.product.code ?? '',
        open(row?.nameEn),
        String(pieces),
        open(weightOf(each, pieces)),
        first ? open(plain(box.weight)) : '',
        first ? open(size) : '',
        first ? open(cubic(box)) : '',
      ];
    });
  });
  const volumes = boxes.map(cubic);
  const volume =
    volumes.includes(null) || volumes.length === 0 ? null : Decimal.sum(...volumes.map((one) => one ?? '0')).toFixed(4);
  return {
    title: 'PACKING LIST',
    name: '装箱单',
    english: true,
    head: englishHead(facts, 'Packing list No.'),
    columns: [
      { title: 'Carton', share: 50, right: true },
      { title: 'SKU', share: 120 },
      { title: 'Description of goods', share: 220 },
      { title: 'Quantity', share: 60, right: true },
      { title: 'N.W. (kg)', share: 70, right: true },
      { title: 'G.W. (kg)', share: 70, right: true },
      { title: 'Size (cm)', share: 100 },
      { title: 'CBM', share: 64, right: true },
    ],
    rows: lines,
    totals: [
      String(boxes.length),
      'Total',
      '',
      piecesOf(rows),
      open(whole(rows.map((row) => row.net))),
      open(whole(boxes.map((box) => box.weight))),
      '',
      open(volume),
    ],
    notes: parties(facts),
  };
}

/** 报关要素: what the customs at home want to know of each product. */
export function elements(facts: PaperFacts): Paper {
  const { rows, boxes, order, company, country } = facts;
  return {
    title: '报关要素',
    name: '报关要素',
    english: false,
    head: [
      { title: '发货单', value: order.number },
      { title: '日期', value: facts.day },
      { title: '货件编号', value: leftOut(order.shipmentNo) },
      { title: '发货人', value: company },
      { title: '目的国', value: country },
      { title: '箱数', value: boxes.length > 0 ? String(boxes.length) : LEFT_OUT },
    ],
    columns: [
      { title: '#', share: 26, right: true },
      { title: 'SKU', share: 90 },
      { title: '品名', share: 100 },
      { title: 'HS编码', share: 80 },
      { title: '品牌', share: 66 },
      { title: '型号', share: 66 },
      { title: '材质', share: 66 },
      { title: '用途', share: 66 },
      { title: '申报要素', share: 150 },
      { title: '数量', share: 48, right: true },
      { title: '单位', share: 40 },
      { title: '申报价', share: 56, right: true },
      { title: '币种', share: 40 },
      { title: '总价', share: 66, right: true },
      { title: '箱数', share: 40, right: true },
      { title: '净重(kg)', share: 58, right: true },
      { title: '毛重(kg)', share: 58, right: true },
    ],
    rows: rows.map((row, index) => [
      String(index + 1),
      row.product.code,
      leftOut(row.nameCn),
      leftOut(row.hsCode),
      leftOut(row.brand),
      leftOut(row.model),
      leftOut(row.material),
      leftOut(row.purpose),
      row.elements ?? '',
      String(row.pieces),
      row.unit,
      leftOut(plain(row.value)),
      leftOut(row.currency),
      leftOut(row.amount),
      row.boxes > 0 ? String(row.boxes) : LEFT_OUT,
      leftOut(row.net),
      leftOut(row.gross),
    ]),
    totals: [
      '',
      '合计',
      ...Array.from({ length: 7 }, () => ''),
      piecesOf(rows),
      '',
      '',
      amountsOf(rows)
        .map((one) => one.currency)
        .join(' / '),
      rows.some((row) => row.amount === null)
        ? LEFT_OUT
        : amountsOf(rows)
            .map((one) => one.amount)
            .join(' / '),
      String(boxes.length),
      leftOut(whole(rows.map((row) => row.net))),
      leftOut(whole(boxes.map((box) => box.weight))),
    ],
    notes: ['混装箱计入其中每个商品的箱数；毛重按箱内商品重量分摊。'],
  };
}
