import { DownOutlined, RightOutlined } from '@ant-design/icons';
import { type ReactNode, useState } from 'react';

interface Node {
  id: string;
  parent: string | null;
}

/** Which branches of a tree are folded, and the rows that are shown because of it. Parents come before children. */
export function useFolds<T>(rows: readonly T[], nodeOf: (row: T) => Node) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const hidden = new Set<string>();
  const depth = new Map<string, number>();
  const parents = new Set<string>();
  for (const row of rows) {
    const { id, parent } = nodeOf(row);
    depth.set(id, parent === null ? 0 : (depth.get(parent) ?? 0) + 1);
    if (parent === null) continue;
    parents.add(parent);
    if (hidden.has(parent) || folded.has(parent)) hidden.add(id);
  }
  const toggle = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  return {
    shown: rows.filter((row) => !hidden.has(nodeOf(row).id)),
    depthOf: (id: string) => depth.get(id) ?? 0,
    isParent: (id: string) => parents.has(id),
    isFolded: (id: string) => folded.has(id),
    toggle,
  };
}

interface CellProps {
  id: string;
  folds: Pick<ReturnType<typeof useFolds>, 'depthOf' | 'isParent' | 'isFolded' | 'toggle'>;
  children: ReactNode;
}

/** First cell of a tree's row: indented, with the arrow that folds it. */
export function TreeCell({ id, folds, children }: CellProps) {
  const closed = folds.isFolded(id);
  return (
    <span className="tree-cell" style={{ paddingLeft: folds.depthOf(id) * 22 }}>
      {folds.isParent(id) ? (
        <button
          type="button"
          className="tree-fold"
          aria-label={closed ? '展开' : '折叠'}
          aria-expanded={!closed}
          onClick={() => folds.toggle(id)}
        >
          {closed ? <RightOutlined /> : <DownOutlined />}
        </button>
      ) : (
        <span className="tree-fold" />
      )}
      {children}
    </span>
  );
}
