import { createHmac } from 'node:crypto';

/** Bytes of one link. */
export const LINK = 32;

/** A row as the chain sees it: id, and a digest over all that it says. */
export interface Sealed {
  id: string;
  digest: Buffer;
}

/** HMAC-SHA256 over the link before and the row, with a key that is not in the database. */
export function linkOf(key: Buffer, before: Buffer, row: Sealed): Buffer {
  return createHmac('sha256', key).update(before).update(row.id.replaceAll('-', ''), 'hex').update(row.digest).digest();
}

/** The links of rows in their order, one behind the other. */
export function linksOf(key: Buffer, before: Buffer, rows: readonly Sealed[]): Buffer {
  const links: Buffer[] = [];
  let last = before;
  for (const row of rows) {
    last = linkOf(key, last, row);
    links.push(last);
  }
  return Buffer.concat(links);
}

export interface SealRow {
  no: number;
  ids: readonly string[];
  links: Buffer;
  before: Buffer;
}

export interface Break {
  /** Row that breaks the chain; null where a seal itself is missing or was changed. */
  id: string | null;
  problem: string;
}

/** What is left of a log's beginning: the chain goes on from its end. */
export interface Anchor {
  /** The last seal that went. */
  no: number;
  /** The last row that went. */
  purgedTo: string;
  /** Rows that went, over all the years. */
  purged: number;
  /** The link that the seal ended with. */
  link: Buffer;
}

/** HMAC-SHA256 over a beginning, with the key of the chain: without it nobody can say that the log begins elsewhere. */
export function proofOf(key: Buffer, companyId: string, { no, purgedTo, purged, link }: Anchor): Buffer {
  return createHmac('sha256', key).update(['anchor', companyId, no, purgedTo, purged].join('|')).update(link).digest();
}

/** The link that a seal ends with. */
export function endOf(seal: Pick<SealRow, 'links'>): Buffer {
  return seal.links.subarray(seal.links.length - LINK);
}

/**
 * Whether rows are those that were sealed: none changed, none gone, none added in between.
 * @param rows what is in the log from the first to the last id of the seal, by id
 */
export function breakOf(key: Buffer, seal: SealRow, before: Buffer, rows: readonly Sealed[]): Break | undefined {
  if (seal.links.length !== seal.ids.length * LINK || !seal.before.equals(before)) {
    return { id: seal.ids[0] ?? null, problem: `第${seal.no}段封存记录被改动` };
  }
  const found = new Map(rows.map((row) => [row.id, row]));
  const known = new Set(seal.ids);
  const extra = rows.find((row) => !known.has(row.id));
  if (extra) return { id: extra.id, problem: '该条日志是封存之后插入的' };
  let last = before;
  for (const [at, id] of seal.ids.entries()) {
    const row = found.get(id);
    if (!row) return { id, problem: '该条日志已被删除' };
    last = linkOf(key, last, row);
    if (!last.equals(seal.links.subarray(at * LINK, (at + 1) * LINK))) {
      return { id, problem: '该条日志的内容被改动' };
    }
  }
  return undefined;
}
