import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ViewContent } from '../../contract/list-view.ts';
import { companyDay } from '../day.ts';
import { notice } from '../notice.tsx';
import { type SavedView, usePorts } from '../ports.ts';
import { useTab } from '../tabs/scope.ts';
import type { FilterField, FilterValue } from './fields.ts';
import type { ListStateControl } from './use-list-state.ts';
import { contentOf, type DaysChoice, relativesOf, shownBy, showsSame } from './views.ts';

const DEFAULTS = ['views'];
const NONE: readonly SavedView[] = [];

export interface ViewsControl {
  views: readonly SavedView[];
  /** The view that was opened last, or that shows just what the list shows. */
  current: SavedView | undefined;
  /** The list shows something else than the current view. */
  changed: boolean;
  /** The views are still being fetched. */
  loading: boolean;
  fields: readonly FilterField[];
  state: ListStateControl;
  open: (view: SavedView) => void;
  /** What the list shows now, to be kept; `days` names the ranges that stay relative. */
  content: (days: DaysChoice) => ViewContent;
  /** Whether a filter of days shows what a view counts back. */
  keepsDays: (view: SavedView, key: string) => boolean;
  /** These throw what the server refuses. */
  add: (view: Pick<SavedView, 'name' | 'isShared' | 'content'>) => Promise<void>;
  change: (
    view: SavedView,
    change: Partial<Pick<SavedView, 'name' | 'isShared' | 'content'>>,
    done: string,
  ) => Promise<void>;
  remove: (view: SavedView) => Promise<void>;
  setDefault: (view: SavedView, isDefault: boolean) => Promise<void>;
  /** False while it is not known yet with which view the list opens. */
  ready: boolean;
}

interface Options {
  name: string;
  fields: readonly FilterField[];
  defaults: FilterValue;
  state: ListStateControl;
  /** The list stands on a page of its own, which may open with a view. */
  opens: boolean;
}

/** Opens the list with the user's default view where the address asks for nothing. Answers whether that is settled. */
function useOpening({ name, fields, state, opens }: Options, onOpen: (id: string) => void): boolean {
  const { views: port } = usePorts();
  const { address } = useTab();
  const [settled, setSettled] = useState(() => !opens || (address.split('?')[1] ?? '') !== '');
  const { data, isError } = useQuery({
    queryKey: DEFAULTS,
    queryFn: ({ signal }) => port.defaults(signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !settled,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as it is known
  useEffect(() => {
    if (settled || (!data && !isError)) return;
    const view = data?.find(({ queryname }) => queryname === name);
    if (view) {
      state.change(shownBy(view.content, fields, companyDay()));
      onOpen(view.id);
    }
    setSettled(true);
  }, [settled, data, isError]);
  return settled;
}

/** The views of one list, what is shown of them now, and what can be done with them. */
export function useViews(options: Options): ViewsControl {
  const { name, fields, defaults, state } = options;
  const { views: port } = usePorts();
  const client = useQueryClient();
  const [opened, setOpened] = useState<string>();
  const ready = useOpening(options, setOpened);
  const { data: views = NONE, isPending: loading } = useQuery<readonly SavedView[]>({
    queryKey: [...DEFAULTS, name],
    queryFn: ({ signal }) => port.load(name, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const today = companyDay();
  const { current, changed } = useMemo(() => {
    const same = (view: SavedView) => showsSame(shownBy(view.content, fields, today), state, fields, defaults);
    const last = views.find(({ id }) => id === opened);
    const found = last && same(last) ? last : (views.find(same) ?? last);
    return { current: found, changed: found !== undefined && !same(found) };
  }, [views, opened, state, fields, defaults, today]);

  const write = async <T>(work: Promise<T>, done: string): Promise<T> => {
    const result = await work;
    await client.invalidateQueries({ queryKey: DEFAULTS });
    notice.success(done);
    return result;
  };
  return {
    views,
    current,
    changed,
    loading,
    fields,
    state,
    ready,
    open: (view) => {
      setOpened(view.id);
      state.change(shownBy(view.content, fields, companyDay()));
    },
    keepsDays: (view, key) => {
      const relative = view.content.days[key];
      return relative !== undefined && relativesOf(state.filter[key], companyDay()).includes(relative);
    },
    content: (days) => contentOf(fields, state, days),
    add: async (view) => setOpened(await write(port.add(name, view), `视图「${view.name}」已保存`)),
    change: (view, change, done) => write(port.change(view, change), done),
    remove: (view) => write(port.remove(view.id), `已删除视图「${view.name}」`),
    setDefault: (view, isDefault) =>
      write(
        port.setDefault(name, isDefault ? view.id : null),
        isDefault ? `打开列表时使用「${view.name}」` : '打开列表时不再使用视图',
      ),
  };
}
