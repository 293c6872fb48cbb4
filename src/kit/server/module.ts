import type { z } from 'zod';
import type { DocumentDef } from '#kit/contract/document.ts';
import type { Handler } from './events.ts';
import type { Extension } from './extension.ts';
import type { AnyRoute } from './http/serve.ts';
import type { CronItem, JobDef, TaskDef } from './jobs/define.ts';

export interface MenuItem {
  title: string;
  /** Route of the screen; absent for a group. */
  path?: string;
  /** 'order/OrderList' is modules/order/web/screens/OrderList.tsx. */
  component?: string;
  icon?: string;
  /** Code without which the entry is not sent; the screen's list call checks it again. */
  permission?: string;
  sort: number;
  /** Rebuilt on each visit when false. */
  keepAlive?: boolean;
  children?: MenuItem[];
}

/** Top level of the menu; modules hang their groups under one of these. */
export const SECTIONS = {
  home: { title: '首页', icon: 'home', sort: 0 },
  product: { title: '产品', icon: 'product', sort: 10 },
  sales: { title: '销售', icon: 'sales', sort: 20 },
  purchase: { title: '采购', icon: 'purchase', sort: 30 },
  warehouse: { title: '仓库', icon: 'warehouse', sort: 40 },
  logistics: { title: '物流', icon: 'logistics', sort: 50 },
  advertising: { title: '广告', icon: 'advertising', sort: 60 },
  finance: { title: '财务', icon: 'finance', sort: 70 },
  service: { title: '客服', icon: 'service', sort: 80 },
  authorisation: { title: '授权', icon: 'authorisation', sort: 90 },
  system: { title: '系统', icon: 'system', sort: 100 },
} as const;
export type Section = keyof typeof SECTIONS;

export interface ModuleDef {
  /** Folder, PostgreSQL schema and import name. */
  name: string;
  title: string;
  /** Modules that this one may import; the graph has no cycle. */
  needs: readonly string[];
  menu?: Partial<Record<Section, MenuItem[]>>;
  /** Every permission code that the module's endpoints and screens use, with its Chinese name. */
  permissions?: Record<string, string>;
  /** The same for codes that the operator of the product alone holds: no company has them or can grant them. */
  operatorPermissions?: Record<string, string>;
  /** Codes of `permissions` that the operator holds as well: calls that keep what is the same for all companies. */
  operatorToo?: readonly string[];
  routes?: AnyRoute[];
  /** Row schema of each list by its query name: the catalogue behind saved column versions. */
  lists?: Record<string, z.ZodObject>;
  documents?: DocumentDef[];
  /** Kinds of things that its audit rows are about, by the name that they use: what the operation log calls them. */
  objects?: Record<string, string>;
  jobs?: JobDef[];
  tasks?: TaskDef[];
  crons?: CronItem[];
  /** What the module adds to the extension points of those it needs. */
  extensions?: Extension[];
  /** Reactions to events of lower modules. */
  on?: Handler[];
}

/** The manifest of a module: all that the rest of the product knows of it. */
export function defineModule(def: ModuleDef): ModuleDef {
  return def;
}

/** Modules in an order in which each comes after those it needs; throws on a cycle or an unknown name. */
export function inOrder(modules: readonly ModuleDef[]): ModuleDef[] {
  const byName = new Map(modules.map((m) => [m.name, m]));
  const done = new Map<string, 'open' | 'done'>();
  const result: ModuleDef[] = [];
  const visit = (name: string, from: string) => {
    const state = done.get(name);
    if (state === 'done') return;
    if (state === 'open') throw new Error(`modules need each other in a circle: ${from} -> ${name}`);
    const module = byName.get(name);
    if (!module) throw new Error(`module ${from} needs ${name}, which does not exist`);
    done.set(name, 'open');
    for (const need of module.needs) visit(need, name);
    done.set(name, 'done');
    result.push(module);
  };
  for (const module of modules) visit(module.name, module.name);
  return result;
}
