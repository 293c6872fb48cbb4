/** The label itself, as a document and as the wire has it. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import type { SimOrder } from '../../business/types.ts';
import { labelPages } from '../inbound/label-pages.ts';
import { barsOf, pdfOf } from '../inbound/pdf.ts';
import { serviceOf } from './services.ts';
import type { BoughtLabel } from './state.ts';

/** Four by six inches, points. */
const SHEET = { width: 288, height: 432, columns: 1, rows: 1 };
const MEDIA = { PDF: 'application/pdf', PNG: 'image/png', ZPL203: 'application/zpl' } as const;

function linesOf(label: BoughtLabel, { shipTo }: SimOrder): string[] {
  const { from, orderId, customText } = label;
  return [
    serviceOf(label.serviceId)?.name ?? label.serviceId,
    `FROM ${from.Name}`,
    `${from.City} ${from.PostalCode} ${from.CountryCode}`,
    `TO ${shipTo.name}`,
    shipTo.line1,
    `${shipTo.city} ${shipTo.state} ${shipTo.postalCode} ${shipTo.countryCode}`,
    customText ?? orderId,
  ];
}

const zplText = (text: string): string => text.replaceAll(/[\^~]/g, ' ');

function zplOf(label: BoughtLabel, lines: readonly string[]): Buffer {
  const fields = lines.map((line, index) => `^FO40,${40 + index * 50}^A0N,36,36^FD${zplText(line)}^FS`);
  return Buffer.from(
    `^XA^CI28^PW812^LL1218\n${fields.join('\n')}\n^FO40,500^BY3^BCN,200,Y,N,N^FD${label.tracking}^FS\n^XZ\n`,
  );
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

/** Bars alone, one bit a pixel, white on nothing else. */
function pngOf(label: BoughtLabel): Buffer {
  const { width, height } = SHEET;
  const bars = barsOf(label.tracking, 20, 100, 120);
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
    row[0] = 0;
    if (y < 100 || y >= 220) return row;
    for (const bar of bars) {
      for (let x = Math.round(bar.x); x < Math.min(width, Math.round(bar.x + bar.width)); x += 1) {
        const at = 1 + (x >> 3);
        row[at] = (row[at] ?? 0) & ~(0x80 >> (x & 7));
      }
    }
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function documentOf(label: BoughtLabel, order: SimOrder): Buffer {
  const lines = linesOf(label, order);
  if (label.format === 'PNG') return pngOf(label);
  if (label.format === 'ZPL203') return zplOf(label, lines);
  return pdfOf(labelPages(SHEET, [{ code: label.tracking, lines }]));
}

/** `Label` of a shipment: the document gzip'ed in base64, with the MD5 of the document as it is before. */
export function labelShape(label: BoughtLabel, order: SimOrder): object {
  const document = documentOf(label, order);
  return {
    ...(label.customText === undefined ? {} : { CustomTextForLabel: label.customText }),
    Dimensions: { Length: 6, Width: 4, Unit: 'inches' },
    FileContents: {
      Contents: gzipSync(document).toString('base64'),
      FileType: MEDIA[label.format],
      Checksum: createHash('md5').update(document).digest('base64'),
    },
    LabelFormat: label.format,
  };
}
