/** One page of the user guide. */
export interface GuidePage {
  /** Name of its file; what addresses call it. */
  id: string;
  title: string;
  group: string;
  order: number;
  /** Component keys of the screens that it explains. */
  keys: readonly string[];
  /** Markdown without the head. */
  body: string;
}

const HEAD = /^---\n([\s\S]*?)\n---\n/;

/** A guide file: a head of "name: value" lines between "---", then Markdown. Throws if title, group or order is missing. */
export function readGuide(id: string, text: string): GuidePage {
  const head = HEAD.exec(text)?.[1];
  if (head === undefined) throw new Error(`${id}: no head`);
  const values = new Map(
    head.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
  const need = (name: string): string => {
    const value = values.get(name);
    if (!value) throw new Error(`${id}: no ${name}`);
    return value;
  };
  return {
    id,
    title: need('title'),
    group: need('group'),
    order: Number(need('order')),
    keys: (values.get('keys') ?? '').split(/[,\s]+/).filter(Boolean),
    body: text.replace(HEAD, ''),
  };
}

/** Pages by group, both in the order that their heads give. */
export function groupsOf(pages: readonly GuidePage[]): { title: string; pages: GuidePage[] }[] {
  const sorted = [...pages].sort((a, b) => a.order - b.order);
  return [...Map.groupBy(sorted, (page) => page.group)].map(([title, members]) => ({ title, pages: members }));
}

/** Markdown as the words that a reader sees. */
export function plainText(body: string): string {
  return body
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[#*`>|]|^[-\d.]+ |-{3,}/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export interface GuideHit {
  page: GuidePage;
  /** The words around the first place found, empty where only the title matches. */
  excerpt: string;
}

const AROUND = 24;

/** Pages that hold every word, those with it in the title first; case does not matter. */
export function searchGuide(pages: readonly GuidePage[], text: string): GuideHit[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits = pages.flatMap((page) => {
    const plain = plainText(page.body);
    const title = page.title.toLowerCase();
    const whole = `${title} ${plain.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return [];
    const at = plain.toLowerCase().indexOf(words[0] ?? '');
    const from = Math.max(0, at - AROUND);
    const excerpt = at < 0 ? '' : `${from > 0 ? '…' : ''}${plain.slice(from, at + AROUND * 2)}…`;
    return [{ page, excerpt, named: words.some((word) => title.includes(word)) }];
  });
  return [...hits.filter((hit) => hit.named), ...hits.filter((hit) => !hit.named)].map(({ page, excerpt }) => ({
    page,
    excerpt,
  }));
}

/** `text` cut at every word of the search, for marking: parts at odd places are hits. */
export function cutAtHits(text: string, search: string): string[] {
  const words = search.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [text];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'gi'));
}
