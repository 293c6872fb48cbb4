import { Checkbox, Switch, Tooltip } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import type { CatalogueNode, Dimension, ScopeGrant } from '../../contract/roles.ts';
import { type CodeGroup, groupsOf, keysBelow, toggled } from './rights.ts';
import { ScopePicker } from './ScopePicker.tsx';

interface Props {
  tree: readonly CatalogueNode[];
  held: ReadonlySet<string>;
  onHeld: (held: Set<string>) => void;
  scopes: readonly ScopeGrant[];
  onScopes: (scopes: readonly ScopeGrant[]) => void;
  dimensions: readonly Dimension[];
  /** The company's switch of a dimension; only owners have it. */
  onSwitch: ((name: string, on: boolean) => void) | undefined;
  disabled: boolean;
  focus: string | undefined;
}

type Tab = 'codes' | 'fields' | 'scopes';

function Codes({ groups, field, props }: { groups: readonly CodeGroup[]; field: boolean; props: Props }) {
  const { held, onHeld, disabled } = props;
  const shown = groups
    .map((group) => ({ ...group, shown: group.codes.filter((each) => each.field === field) }))
    .filter((group) => group.shown.length > 0);
  if (shown.length === 0) {
    return <div className="line-table-none">{field ? '这里没有受控的字段' : '这里没有功能权限'}</div>;
  }
  return shown.map((group) => (
    <div className="rights-row" key={group.key}>
      <div>
        {group.title}
        <span className="rights-trail ellipsis">{group.trail}</span>
      </div>
      <div className="rights-codes">
        {group.shown.map((each) => {
          const on = held.has(each.code);
          const blocked = !each.mine && !on;
          const box = (
            <Checkbox
              checked={on}
              disabled={disabled || blocked}
              onChange={(event) => onHeld(toggled(held, group, each.code, event.target.checked))}
            >
              {each.title}
            </Checkbox>
          );
          return (
            <Tooltip
              key={each.code}
              title={blocked ? `您没有该权限，不能授予（${each.code}）` : each.code}
              mouseEnterDelay={0.6}
            >
              <span>{box}</span>
            </Tooltip>
          );
        })}
      </div>
    </div>
  ));
}

function Scopes({ dimensions, scopes, onScopes, onSwitch, disabled }: Props) {
  const put = (next: ScopeGrant) => onScopes([...scopes.filter((each) => each.dimension !== next.dimension), next]);
  return dimensions.map((dimension) => (
    <ScopePicker
      key={dimension.name}
      dimension={dimension}
      value={
        scopes.find((each) => each.dimension === dimension.name) ?? { dimension: dimension.name, mode: 'LIST', ids: [] }
      }
      onChange={put}
      disabled={disabled}
      extra={
        onSwitch && (
          <Tooltip title="全公司的开关：停用后任何人都不受该维度限制">
            <span>
              <Switch
                size="small"
                checked={dimension.enabled}
                aria-label={`启用${dimension.title}`}
                onChange={(on) => onSwitch(dimension.name, on)}
              />
            </span>
          </Tooltip>
        )
      }
    />
  ));
}

/** 功能权限, 字段查看权限 and 数据范围 of a role, for one menu node or all of them. */
export function RightsPane(props: Props): ReactNode {
  const [tab, setTab] = useState<Tab>('codes');
  const { tree, focus, held } = props;
  const groups = useMemo(() => {
    const all = groupsOf(tree);
    if (focus === undefined) return all;
    const keys = keysBelow(tree, focus);
    return all.filter((group) => keys.has(group.key));
  }, [tree, focus]);
  const count = (field: boolean) => {
    const codes = groups.flatMap((group) => group.codes.filter((each) => each.field === field));
    return `${codes.filter((each) => held.has(each.code)).length}/${codes.length}`;
  };
  const tabs: [Tab, string, string][] = [
    ['codes', '功能权限', count(false)],
    ['fields', '字段查看权限', count(true)],
    ['scopes', '数据范围', ''],
  ];
  return (
    <section className="org-pane is-rights" aria-label="权限">
      <div className="org-pane-head" role="tablist">
        {tabs.map(([key, title, number]) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={key === tab}
            className={`status-tab${key === tab ? ' is-on' : ''}`}
            onClick={() => setTab(key)}
          >
            {title}
            {number && <span className="num">{number}</span>}
          </button>
        ))}
      </div>
      <div className="org-pane-body">
        {tab === 'codes' && <Codes groups={groups} field={false} props={props} />}
        {tab === 'fields' && <Codes groups={groups} field props={props} />}
        {tab === 'scopes' && <Scopes {...props} />}
      </div>
    </section>
  );
}
