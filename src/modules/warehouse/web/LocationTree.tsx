import { Select, Tree } from 'antd';
import { useMemo, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { FormOption } from '#kit/web/form/index.ts';
import { locationTree, type TreeNode } from '../contract/base.ts';

interface Branch {
  key: string;
  title: string;
  children: Branch[];
}

/** Nodes under their parents; each says how many pieces lie in it and below. */
export function branches(nodes: readonly TreeNode[]): Branch[] {
  const all = new Map(
    nodes.map((node) => {
      const mark = node.frozen ? '（冻结）' : '';
      return [
        node.id,
        { key: node.id, title: `${node.code}${mark} · ${formatInteger(node.qty)} 件`, children: [] as Branch[] },
      ];
    }),
  );
  const top: Branch[] = [];
  for (const node of nodes) {
    const branch = all.get(node.id);
    const parent = node.parentId === null ? undefined : all.get(node.parentId);
    if (branch) (parent?.children ?? top).push(branch);
  }
  return top;
}

/** 区/架/层/格 of one warehouse in a drawer. */
export function LocationTree(props: { open: boolean; warehouses: readonly FormOption[]; onClose: () => void }) {
  const { open, warehouses, onClose } = props;
  const [chosen, setChosen] = useState<string>();
  const warehouse = chosen ?? warehouses[0]?.value;
  const { data } = useCall(
    locationTree,
    { query: { warehouseId: warehouse ?? '' } },
    { enabled: open && warehouse !== undefined },
  );
  const tree = useMemo(() => branches(data ?? []), [data]);
  return (
    <DetailDrawer
      open={open}
      onClose={onClose}
      title="库位树"
      scope={
        <Select
          size="small"
          aria-label="仓库"
          value={warehouse}
          onChange={setChosen}
          options={[...warehouses]}
          style={{ width: 180 }}
        />
      }
    >
      <Tree treeData={tree} selectable={false} height={600} showLine />
    </DetailDrawer>
  );
}
