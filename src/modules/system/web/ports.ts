import { call, download } from '#kit/web/api/index.ts';
import type { Ports, SavedColumn } from '#kit/web/ports.ts';
import { addFavourite, listFavourites, removeFavourite } from '../contract/favourites.ts';
import { addView, changeView, defaultViews, listViews, removeView, setDefaultView } from '../contract/views.ts';
import {
  cancelTask,
  deleteVersion,
  downloadFile,
  myTasks,
  myVersions,
  type QueryFieldItem,
  retryTask,
  saveVersion,
  saveVersionWithName,
  shareVersion,
  useVersion,
} from '../contract.ts';

function fieldOf({ width, pinned, ...item }: SavedColumn): QueryFieldItem {
  return { ...item, ...(width === undefined ? {} : { width }), ...(pinned === undefined ? {} : { pinned }) };
}

/** Column versions, views of lists, background tasks and stars of the kit, kept by this module's calls. */
export const systemPorts: Omit<Ports, 'Approval' | 'useDocumentTabs'> = {
  columns: {
    load: (queryname, signal) => call(myVersions, { query: { queryname } }, { signal, scope: queryname, quiet: true }),
    save: (id, items) => call(saveVersion, { params: { id }, body: items.map(fieldOf) }),
    saveAs: (queryname, versionname, items) =>
      call(saveVersionWithName, { body: { queryname, versionname, fieldlist: items.map(fieldOf) } }),
    use: async (queryname, id) => void (await call(useVersion, { body: { queryname, id } })),
    share: async (id, shared) => void (await call(shareVersion, { params: { id }, body: { shared } })),
    remove: async (versionid) => void (await call(deleteVersion, { query: { versionid } })),
  },
  views: {
    load: (queryname, signal) =>
      call(listViews, { query: { queryname } }, { signal, scope: `views ${queryname}`, quiet: true }),
    defaults: (signal) => call(defaultViews, {}, { signal, quiet: true }),
    add: (queryname, view) => call(addView, { body: { queryname, ...view } }, { quiet: true }),
    change: async ({ id, version }, change) =>
      void (await call(changeView, { params: { id }, body: { version, ...change } }, { quiet: true })),
    remove: async (id) => void (await call(removeView, { params: { id } })),
    setDefault: async (queryname, id) => void (await call(setDefaultView, { body: { queryname, id } })),
  },
  tasks: {
    mine: (signal) => call(myTasks, {}, { signal, quiet: true }),
    cancel: async (id) => void (await call(cancelTask, { params: { id } })),
    retry: async (id) => void (await call(retryTask, { params: { id } })),
    download: async (id) => void (await download(downloadFile, { params: { id } })),
  },
  favourites: {
    load: (signal) => call(listFavourites, {}, { signal, quiet: true }),
    add: (path) => call(addFavourite, { body: { path } }),
    remove: (path) => call(removeFavourite, { query: { path } }),
  },
};
