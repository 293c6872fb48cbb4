import type { Store as StoreValue } from '../../contract/field.ts';

/** Country code as a badge; struck out where the site is not in use. */
export function Country({ code, off = false }: { code: string; off?: boolean }) {
  return <span className={`badge${off ? ' is-off' : ''}`}>{code}</span>;
}

/** Country badge and name of a store. */
export function StoreName({ store }: { store: StoreValue | null | undefined }) {
  if (!store) return <span className="text3">—</span>;
  return (
    <span className="store">
      <Country code={store.country} />
      <span className="ellipsis">{store.name}</span>
    </span>
  );
}
