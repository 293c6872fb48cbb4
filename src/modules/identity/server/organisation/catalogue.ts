import type { ModuleDef } from '#kit/server/module.ts';
import type { CatalogueNode, PermissionTitle } from '../../contract/roles.ts';
import { type MenuNode, menuTree } from '../menu.ts';
import type { MenuOverlay } from '../menu-overlay.ts';

/** Chinese name of every code that a company can hold. */
export function titlesOf(modules: readonly ModuleDef[]): Map<string, string> {
  return new Map(modules.flatMap((module) => Object.entries(module.permissions ?? {})));
}

/** Whether a code guards a column instead of an action. */
export function isField(code: string): boolean {
  return code.includes(':field:');
}

export function titled(modules: readonly ModuleDef[], codes: Iterable<string>): PermissionTitle[] {
  const titles = titlesOf(modules);
  return [...codes].map((code) => ({ code, title: titles.get(code) ?? code }));
}

function resourceOf(code: string): string {
  return code.split(':').slice(0, 2).join(':');
}

/** The codes a company can hold, hung under the screens whose resource they belong to; the rest by module. */
export function catalogue(
  modules: readonly ModuleDef[],
  overlays: readonly MenuOverlay[],
  grantable: ReadonlySet<string>,
): CatalogueNode[] {
  const titles = titlesOf(modules);
  const left = new Set(titles.keys());
  const entryOf = (code: string) => ({
    code,
    title: titles.get(code) ?? code,
    field: isField(code),
    mine: grantable.has(code),
  });
  const take = (code: string | undefined) => {
    if (!code) return [];
    // Several screens may show one resource: its other codes stand with the first of them.
    const others = [...left].filter((each) => each !== code && resourceOf(each) === resourceOf(code));
    for (const each of [code, ...others]) left.delete(each);
    return [code, ...others].map(entryOf);
  };
  const nodeOf = (node: MenuNode): CatalogueNode | undefined => {
    if (node.kind === 'link' || (node.permission && !titles.has(node.permission))) return undefined;
    const codes = take(node.permission);
    const children = node.children.flatMap((child) => nodeOf(child) ?? []);
    if (codes.length === 0 && children.length === 0 && node.kind !== 'section') return undefined;
    return {
      key: node.name,
      title: node.title,
      kind: node.kind === 'section' ? 'section' : node.kind === 'dir' ? 'group' : 'screen',
      path: node.path || null,
      code: node.permission ?? null,
      codes,
      children,
    };
  };
  const tree = menuTree(modules, overlays).flatMap((section) => {
    const node = nodeOf(section);
    return node && (node.children.length > 0 || node.codes.length > 0) ? [node] : [];
  });
  const others = modules.flatMap((module) => {
    const codes = Object.keys(module.permissions ?? {}).filter((code) => left.has(code));
    if (codes.length === 0) return [];
    const node: CatalogueNode = {
      key: `other.${module.name}`,
      title: module.title,
      kind: 'other',
      path: null,
      code: null,
      codes: codes.map(entryOf),
      children: [],
    };
    return [node];
  });
  if (others.length === 0) return tree;
  const rest: CatalogueNode = {
    key: 'other',
    title: '其他',
    kind: 'section',
    path: null,
    code: null,
    codes: [],
    children: others,
  };
  return [...tree, rest];
}

/** Paths of the screens that codes open, and the code that opens each screen. */
export function screensOf(nodes: readonly CatalogueNode[]): { path: string; code: string }[] {
  return nodes.flatMap((node) => [
    ...(node.path && node.code ? [{ path: node.path, code: node.code }] : []),
    ...screensOf(node.children),
  ]);
}
