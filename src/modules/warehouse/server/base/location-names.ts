import { refused } from '#kit/server/errors.ts';

const MOST = 5000;

/** The names that a range stands for: "A-C" is A, B, C; "1-12" is 01 … 12; one alone is itself. @throws refused backwards */
export function namesOf(span: string): string[] {
  const [first = '', last = first] = span.trim().split('-');
  const letters = /^[A-Z]$/.test(first);
  if (letters !== /^[A-Z]$/.test(last)) throw refused(`范围【${span}】的两端必须同为字母或数字`, 'B0830');
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  if (to < from) throw refused(`范围【${span}】的终点小于起点`, 'B0830');
  const width = letters ? 1 : last.length;
  return Array.from({ length: to - from + 1 }, (_, index) =>
    letters ? String.fromCharCode(from + index) : String(from + index).padStart(width, '0'),
  );
}

export interface NewLocation {
  code: string;
  /** Code of the node above; null at the top. */
  parent: string | null;
  path: string;
  leaf: boolean;
}

/**
 * Every 区 x 架 x 层 x 格 with the nodes above them, each parent before its children; codes are "A-01-2-03".
 * @throws refused beyond 5,000 locations
 */
export function locationsOf(spans: readonly [area: string, rack: string, shelf: string, bin: string]): NewLocation[] {
  const levels = spans.map(namesOf);
  const leaves = levels.reduce((count, names) => count * names.length, 1);
  if (leaves > MOST) throw refused(`一次最多生成 ${MOST} 个库位，本次为 ${leaves} 个`, 'B0831');
  const made: NewLocation[] = [];
  const grow = (depth: number, parent: string | null, path: string) => {
    for (const name of levels[depth] ?? []) {
      const code = parent === null ? name : `${parent}-${name}`;
      const own = path === '' ? code : `${path}/${code}`;
      const leaf = depth === levels.length - 1;
      made.push({ code, parent, path: own, leaf });
      if (!leaf) grow(depth + 1, code, own);
    }
  };
  grow(0, null, '');
  return made;
}
