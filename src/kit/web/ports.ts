import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { DocumentDef } from '../contract/document.ts';
import type { ViewContent } from '../contract/list-view.ts';

/** One column of a saved version: key, position, shown or not, width in px, pinned side. */
export interface SavedColumn {
  ffield: string;
  findex: number;
  isShow: boolean;
  width?: number | undefined;
  pinned?: 'left' | 'right' | null | undefined;
}

/** A named arrangement of a list's columns, own or lent by a colleague; at most one per list is in use. */
export interface SavedVersion {
  id: string;
  name: string;
  isUsed: boolean;
  items: SavedColumn[];
  isShared: boolean;
  isMine: boolean;
  /** Whose it is; null where it is the user's own. */
  ownerName: string | null;
  /** The user may write and delete it. */
  isEditable: boolean;
}

/** Where column versions are kept. `name` is the query name of a list, e.g. "order/list". */
export interface ColumnsPort {
  load: (name: string, signal?: AbortSignal) => Promise<SavedVersion[]>;
  /** Writes the version with this id and uses it; with a query name the used one, or a first one. Answers its id. */
  save: (idOrName: string, items: SavedColumn[]) => Promise<string>;
  saveAs: (name: string, versionName: string, items: SavedColumn[]) => Promise<string>;
  remove: (id: string) => Promise<void>;
  /** Uses a version of the list without writing it; null: the list's own columns. */
  use: (name: string, id: string | null) => Promise<void>;
  /** Lends a version to the company, or takes it back. */
  share: (id: string, shared: boolean) => Promise<void>;
}

/** Filters and order of a list under a name, own or shared by a colleague. */
export interface SavedView {
  id: string;
  name: string;
  /** Query name of its list. */
  queryname: string;
  content: ViewContent;
  isShared: boolean;
  isMine: boolean;
  /** Whose it is; null where it is the user's own. */
  ownerName: string | null;
  /** The user's list opens with it. */
  isDefault: boolean;
  version: number;
}

/** Where views are kept. `name` is the query name of a list. */
export interface ViewsPort {
  load: (name: string, signal?: AbortSignal) => Promise<SavedView[]>;
  /** The views with which the user's lists open. */
  defaults: (signal?: AbortSignal) => Promise<SavedView[]>;
  /** Answers its id. */
  add: (name: string, view: Pick<SavedView, 'name' | 'isShared' | 'content'>) => Promise<string>;
  change: (
    view: Pick<SavedView, 'id' | 'version'>,
    change: Partial<Pick<SavedView, 'name' | 'isShared' | 'content'>>,
  ) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Null: the list opens as it is made. */
  setDefault: (name: string, id: string | null) => Promise<void>;
}

/** A background task as the header's panel shows it. */
export interface Task {
  id: string;
  title: string;
  userName: string | null;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Whole percent. */
  progress: number;
  detail: string | null;
  error: string | null;
  fileId: string | null;
  fileName: string | null;
  createdAt: string;
  finishedAt: string | null;
}

export interface TasksPort {
  /** Own tasks, newest first. */
  mine: (signal?: AbortSignal) => Promise<Task[]>;
  cancel: (id: string) => Promise<void>;
  retry: (id: string) => Promise<void>;
  download: (fileId: string) => Promise<void>;
}

/** Where the screens that a user starred are kept; each answers all of them, in the order of starring. */
export interface FavouritesPort {
  load: (signal?: AbortSignal) => Promise<string[]>;
  add: (path: string) => Promise<string[]>;
  remove: (path: string) => Promise<string[]>;
}

/** A document whose page shows how it is approved. */
export interface ApprovalPanelProps {
  def: DocumentDef;
  id: string;
  /** Something was decided: the page reads the document again. */
  onChanged: () => void;
  /** A flow decides about the document now; its own steps wait. */
  onDeciding: (deciding: boolean) => void;
}

/** A tab that another module adds to the page or drawer of a document. */
export interface AddedTab {
  key: string;
  title: string;
  count?: number;
  content: ReactNode;
}

/** What the kit needs of a module without knowing it; the shell plugs them together. */
export interface Ports {
  columns: ColumnsPort;
  views: ViewsPort;
  tasks: TasksPort;
  favourites: FavouritesPort;
  /** Stands over the action bar of documents that flows can approve; draws nothing where none does. */
  Approval: ComponentType<ApprovalPanelProps>;
  /** A hook: the tabs of other modules about a document, by the name of its type, 'order' for Amazon's; none before its id is known. */
  useDocumentTabs: (type: string, id: string | undefined) => readonly AddedTab[];
}

const unplugged = (): never => {
  throw new Error('no ports');
};

export const PortsContext = createContext<Ports>({
  columns: { load: unplugged, save: unplugged, saveAs: unplugged, remove: unplugged, use: unplugged, share: unplugged },
  views: {
    load: unplugged,
    defaults: unplugged,
    add: unplugged,
    change: unplugged,
    remove: unplugged,
    setDefault: unplugged,
  },
  tasks: { mine: unplugged, cancel: unplugged, retry: unplugged, download: unplugged },
  favourites: { load: unplugged, add: unplugged, remove: unplugged },
  Approval: () => null,
  useDocumentTabs: () => [],
});

export function usePorts(): Ports {
  return useContext(PortsContext);
}
