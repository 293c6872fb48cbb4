import type { CatalogueNode } from '../../contract/roles.ts';

export interface CodeEntry {
  code: string;
  title: string;
  field: boolean;
  mine: boolean;
}

/** The codes of one screen, or of a module's rest, with where it stands. */
export interface CodeGroup {
  key: string;
  title: string;
  trail: string;
  /** The code that opens the screen. */
  opens: string | null;
  codes: readonly CodeEntry[];
}

/** Screens with codes, in the order of the menu. */
export function groupsOf(nodes: readonly CatalogueNode[], trail: readonly string[] = []): CodeGroup[] {
  return nodes.flatMap((node) => [
    ...(node.codes.length > 0
      ? [{ key: node.key, title: node.title, trail: trail.join(' › '), opens: node.code, codes: node.codes }]
      : []),
    ...groupsOf(node.children, [...trail, node.title]),
  ]);
}

/** Keys of a node and of all below it. */
export function keysBelow(nodes: readonly CatalogueNode[], key: string): Set<string> {
  const all = (node: CatalogueNode): string[] => [node.key, ...node.children.flatMap(all)];
  const find = (list: readonly CatalogueNode[]): CatalogueNode | undefined => {
    for (const node of list) {
      const found = node.key === key ? node : find(node.children);
      if (found) return found;
    }
    return undefined;
  };
  const node = find(nodes);
  return new Set(node ? all(node) : []);
}

/** Codes after one was ticked or unticked: nobody works on a screen that he cannot open. */
export function toggled(held: ReadonlySet<string>, group: CodeGroup, code: string, on: boolean): Set<string> {
  const next = new Set(held);
  if (on) {
    next.add(code);
    if (group.opens) next.add(group.opens);
    return next;
  }
  next.delete(code);
  if (code === group.opens) for (const each of group.codes) next.delete(each.code);
  return next;
}

/** Codes that only one of two roles has. */
export function difference(left: ReadonlySet<string>, right: ReadonlySet<string>) {
  return {
    left: [...left].filter((code) => !right.has(code)),
    right: [...right].filter((code) => !left.has(code)),
    both: [...left].filter((code) => right.has(code)),
  };
}
