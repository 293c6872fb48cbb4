import { StarFilled, StarOutlined } from '@ant-design/icons';
import { ConfigProvider, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import type { StateMeta } from '../../contract/field.ts';
import { formatInteger } from '../../contract/format.ts';
import { useFavourites } from '../favourites.ts';
import { useTab } from '../tabs/scope.ts';

interface Props {
  title: string;
  tabs?: ReactNode;
  children?: ReactNode;
}

function Star() {
  const path = useTab().address.split('?')[0] ?? '';
  const { favourites, toggle } = useFavourites();
  const starred = favourites.includes(path);
  return (
    <Tooltip title={starred ? '取消收藏' : '收藏到菜单'}>
      <button
        type="button"
        className={`icon-button is-small page-star${starred ? ' is-on' : ''}`}
        aria-label={starred ? '取消收藏' : '收藏到菜单'}
        aria-pressed={starred}
        onClick={() => toggle(path)}
      >
        {starred ? <StarFilled /> : <StarOutlined />}
      </button>
    </Tooltip>
  );
}

/** The 48 px head of a page: title, star, tabs, and its actions with the primary one last. */
export function ListHead({ title, tabs, children }: Props) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      <Star />
      {tabs}
      <span className="spring" />
      <ConfigProvider componentSize="small">{children}</ConfigProvider>
    </div>
  );
}

interface TabsProps {
  states: Record<string, StateMeta>;
  counts: Record<string, number> | undefined;
  /** The tabs stand side by side: there is none for all of them. */
  apart?: boolean | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function allOf(counts: Record<string, number> | undefined, states: Record<string, StateMeta>): number | undefined {
  if (!counts) return undefined;
  return counts.all ?? Object.keys(states).reduce((sum, key) => sum + (counts[key] ?? 0), 0);
}

/** Status tabs with their counts; what waits for somebody is counted in amber. */
export function StatusTabs({ states, counts, apart = false, value, onChange }: TabsProps) {
  const tabs: [string | undefined, string, number | undefined, boolean][] = [
    [undefined, '全部', allOf(counts, states), false],
    ...Object.entries(states).map(
      ([key, meta]) =>
        [key, meta.title, counts ? (counts[key] ?? 0) : undefined, meta.tone === 'waiting'] as [
          string,
          string,
          number | undefined,
          boolean,
        ],
    ),
  ];
  return (
    <div className="status-tabs" role="tablist" aria-label="状态">
      {tabs.slice(apart ? 1 : 0).map(([key, title, count, waits]) => (
        <button
          key={key ?? 'all'}
          type="button"
          role="tab"
          aria-selected={value === key}
          className={`status-tab${value === key ? ' is-on' : ''}${waits && count ? ' is-waiting' : ''}`}
          onClick={() => onChange(key)}
        >
          {title}
          {count !== undefined && <span className="num">{formatInteger(count)}</span>}
        </button>
      ))}
    </div>
  );
}
