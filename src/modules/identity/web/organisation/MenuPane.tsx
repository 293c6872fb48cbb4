import { Tree } from 'antd';
import type { DataNode } from 'antd/es/tree';
import { useMemo } from 'react';
import type { CatalogueNode } from '../../contract/roles.ts';
import { groupsOf } from './rights.ts';

interface Props {
  tree: readonly CatalogueNode[];
  held: ReadonlySet<string>;
  disabled: boolean;
  /** Node whose codes are shown at right; undefined: all. */
  focus: string | undefined;
  onFocus: (key: string | undefined) => void;
  onHeld: (held: Set<string>) => void;
}

function nodesOf(nodes: readonly CatalogueNode[], disabled: boolean, held: ReadonlySet<string>): DataNode[] {
  return nodes
    .filter((node) => node.kind !== 'other' && node.key !== 'other')
    .map((node) => {
      const own = node.codes.find((each) => each.code === node.code);
      // A box that cannot be ticked because the caller lacks the right can still be unticked.
      const blocked = own !== undefined && !own.mine && !held.has(own.code);
      return {
        key: node.key,
        title: node.title,
        disableCheckbox: disabled || blocked,
        children: nodesOf(node.children, disabled, held),
      };
    });
}

/** 菜单权限: which screens the role opens. */
export function MenuPane({ tree, held, disabled, focus, onFocus, onHeld }: Props) {
  const groups = useMemo(() => groupsOf(tree), [tree]);
  const screens = groups.filter((group) => group.opens !== null);
  const checked = screens.filter((group) => group.opens && held.has(group.opens)).map((group) => group.key);
  const check = (keys: readonly string[]) => {
    const on = new Set(keys);
    const next = new Set(held);
    for (const group of screens) {
      const was = checked.includes(group.key);
      if (on.has(group.key) && !was && group.opens) next.add(group.opens);
      if (!on.has(group.key) && was) for (const each of group.codes) next.delete(each.code);
    }
    onHeld(next);
  };
  return (
    <section className="org-pane is-menu" aria-label="菜单权限">
      <div className="org-pane-head">
        <h2>菜单权限</h2>
        <span className="spring" />
        <span className="label">
          {checked.length} / {screens.length}
        </span>
      </div>
      <div className="org-pane-body">
        <Tree
          checkable
          blockNode
          defaultExpandAll
          treeData={nodesOf(tree, disabled, held)}
          checkedKeys={checked}
          selectedKeys={focus ? [focus] : []}
          onSelect={(keys) => onFocus(keys[0] === undefined ? undefined : String(keys[0]))}
          onCheck={(keys) => check((Array.isArray(keys) ? keys : keys.checked).map(String))}
        />
      </div>
    </section>
  );
}
