import type { Act } from './acts.ts';

const NAME = 'warehouse-scan';
const STORE = 'acts';

let opening: Promise<IDBDatabase> | undefined;

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });
}

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'seq', autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });
  return opening;
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database()).transaction(STORE, mode).objectStore(STORE);
}

/** Keeps an act until the server has taken it, also over the end of the page; it goes behind all others. */
export async function keep(act: Omit<Act, 'seq'>): Promise<void> {
  await asked((await store('readwrite')).add(act));
}

/** All acts that are kept, in the order in which they were done. */
export async function kept(): Promise<Act[]> {
  return asked((await store('readonly')).getAll() as IDBRequest<Act[]>);
}

/** Writes what became of an act. */
export async function rewrite(act: Act): Promise<void> {
  await asked((await store('readwrite')).put(act));
}

/** Forgets an act: the server has it, or somebody gave it up. */
export async function drop(seq: number): Promise<void> {
  await asked((await store('readwrite')).delete(seq));
}
