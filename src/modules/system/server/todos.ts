import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint } from '#kit/server/extension.ts';

/** Things that wait for somebody, and the screen that lists exactly these. */
export interface Todo {
  key: string;
  /** e.g. 采购单待审核. */
  title: string;
  count: number;
  /** What is lost by waiting: shown in red. */
  urgent?: boolean;
  /** The list with the query that narrows it to them. */
  path: string;
  tabTitle: string;
  query: Record<string, string>;
}

/** What a module has waiting. */
export interface TodoSource {
  /** Names it where it cannot be asked, e.g. 采购单. */
  title: string;
  /** Whoever does not hold it is not asked for; its data scope bounds what is counted. */
  permission: string;
  /** All kinds, those without any as well: counts of the lists, quick enough for a home page. */
  todos(ctx: Ctx): Promise<Todo[]>;
}

/** What waits for people, for the home page. */
export const todoSources = extensionPoint<TodoSource>('system.todoSources');
