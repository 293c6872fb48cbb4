import { posix } from 'node:path';
import { type PackedFile, zipFiles } from '../../catalogue/zip.ts';

/** A picture that lies on the first sheet of a workbook. */
export interface SheetPicture {
  /** Row in which it lies, as people count it from 1; null for one that a cell names by `id`. */
  line: number | null;
  /** What the formula DISPIMG of a cell calls it (WPS); null for one that lies over the cells. */
  id: string | null;
  /** Unpacks it; nothing is kept. @throws AppError B0751 above `limit` bytes */
  bytes: (limit: number) => Buffer;
}

/** A workbook of so many pictures has a few parts beside them. */
const MAX_PARTS = 5000;
/** Parts that say where pictures are; a drawing of thousands of pictures takes a few MB. */
const MAX_XML = 32 * 1024 * 1024;

/** One anchor of a picture; a longer text is none. */
const MAX_ANCHOR = 64 * 1024;

type Parts = ReadonlyMap<string, PackedFile>;

const xml = (parts: Parts, path: string) => parts.get(path)?.bytes(MAX_XML).toString('utf8') ?? '';

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

/** Targets of a part's relations by their id, as paths from the root of the file. */
function relations(parts: Parts, part: string): Map<string, { type: string; path: string }> {
  const folder = posix.dirname(part);
  const found = new Map<string, { type: string; path: string }>();
  for (const [tag] of xml(parts, `${folder}/_rels/${posix.basename(part)}.rels`).matchAll(/<Relationship\b[^>]*>/g)) {
    const target = attribute(tag, 'Target');
    const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
    found.set(attribute(tag, 'Id'), { type: attribute(tag, 'Type').split('/').at(-1) ?? '', path });
  }
  return found;
}

/** The pieces of a text that end with such a tag: cut once from left to right, however many tags are left open. */
function elements(text: string, name: string): string[] {
  const pieces = text.split(new RegExp(`</(?:\\w+:)?(?:${name})>`));
  return pieces.slice(0, -1).filter((piece) => piece.length <= MAX_ANCHOR);
}

function firstSheet(parts: Parts): string | undefined {
  const [tag] = /<sheet\b[^>]*>/.exec(xml(parts, 'xl/workbook.xml')) ?? [];
  return tag && relations(parts, 'xl/workbook.xml').get(attribute(tag, 'id'))?.path;
}

const rowOf = (anchor: string, corner: 'from' | 'to') => {
  const inner = new RegExp(`<(?:\\w+:)?${corner}>[\\s\\S]*?<(?:\\w+:)?row>(\\d+)<`).exec(anchor)?.[1];
  return inner === undefined ? undefined : Number(inner);
};

/** Pictures that lie over cells: they belong to the row in which their middle lies. */
function anchored(parts: Parts, sheet: string): SheetPicture[] {
  const drawing = [...relations(parts, sheet).values()].find(({ type }) => type === 'drawing')?.path;
  if (!drawing) return [];
  const media = relations(parts, drawing);
  return elements(xml(parts, drawing), 'oneCellAnchor|twoCellAnchor').flatMap((anchor) => {
    const from = rowOf(anchor, 'from');
    const [blip] = /<(?:\w+:)?blip\b[^>]*>/.exec(anchor) ?? [];
    const file = blip && parts.get(media.get(attribute(blip, 'embed'))?.path ?? '');
    if (!file || from === undefined) return [];
    const middle = Math.floor((from + (rowOf(anchor, 'to') ?? from)) / 2);
    return [{ line: middle + 1, id: null, bytes: file.bytes }];
  });
}

/** Pictures inside cells, as WPS keeps them: the cell holds =DISPIMG("ID_…",1). */
function inCells(parts: Parts): SheetPicture[] {
  const list = 'xl/cellimages.xml';
  if (!parts.has(list)) return [];
  const media = relations(parts, list);
  return elements(xml(parts, list), 'cellImage').flatMap((image) => {
    const [name] = /<(?:\w+:)?cNvPr\b[^>]*>/.exec(image) ?? [];
    const [blip] = /<(?:\w+:)?blip\b[^>]*>/.exec(image) ?? [];
    const file = blip && parts.get(media.get(attribute(blip, 'embed'))?.path ?? '');
    return name && file ? [{ line: null, id: attribute(name, 'name'), bytes: file.bytes }] : [];
  });
}

/** The id in a cell's =DISPIMG("ID_…",1), or empty. */
export function pictureId(cell: string): string {
  return /DISPIMG\("([^"]{1,80})"/i.exec(cell)?.[1] ?? '';
}

/**
 * Pictures of the first sheet of an XLSX file: those that lie over its cells and those that WPS keeps in them. They are
 * unpacked one by one when asked for, so that memory does not grow with their number.
 * @throws AppError B0753 for what is no proper ZIP
 */
export function sheetPictures(file: Buffer): SheetPicture[] {
  const parts = new Map(zipFiles(file, MAX_PARTS).map((part) => [part.path, part]));
  const sheet = firstSheet(parts);
  return sheet ? [...anchored(parts, sheet), ...inCells(parts)] : [];
}
