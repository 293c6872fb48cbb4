import { Drawer } from 'antd';
import { type ReactNode, useEffect } from 'react';

export interface DrawerTab {
  key: string;
  title: string;
  count?: number;
}

interface Props {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Second line of the title: a code. */
  subtitle?: ReactNode;
  /** Before the title, e.g. a product picture. */
  picture?: ReactNode;
  /** Right in the head, before the close button. */
  extra?: ReactNode;
  tabs?: readonly DrawerTab[];
  tab?: string;
  onTab?: (key: string) => void;
  /** Right on the line of the tabs: what the figures cover. */
  scope?: ReactNode;
  /** To the neighbouring row, also with ↑ and ↓. */
  onPrev?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** What ↑↓ moves over: 「切换商品」. */
  stepLabel?: string;
  /** Left in the foot: proof, notes. */
  foot?: ReactNode;
  /** Right in the foot instead of the key hints. */
  actions?: ReactNode;
  children: ReactNode;
}

interface FrameProps extends Props {
  size: number;
}

/** Esc closes the drawer, also from beside it; ↑ and ↓ move to the neighbouring row while nobody types. */
function useDrawerKeys({ open, onClose, onPrev, onNext }: Props): void {
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault();
        onClose();
        return;
      }
      const step = { ArrowUp: onPrev, ArrowDown: onNext }[event.key];
      const { target } = event;
      if (!step || event.defaultPrevented) return;
      if (target instanceof HTMLElement && target.closest('input, textarea, [role="listbox"], [role="tab"]')) return;
      event.preventDefault();
      step();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, onClose, onPrev, onNext]);
}

function Tabs({ tabs, tab, onTab, scope }: Pick<Props, 'tabs' | 'tab' | 'onTab' | 'scope'>) {
  if (!tabs && !scope) return null;
  return (
    <div className="drawer-tabs">
      {tabs && (
        <div className="drawer-tablist" role="tablist">
          {tabs.map(({ key, title, count }) => (
            <button
              key={key}
              type="button"
              role="tab"
              aria-selected={key === tab}
              className={`status-tab${key === tab ? ' is-on' : ''}`}
              onClick={() => onTab?.(key)}
            >
              {title}
              {count !== undefined && <span className="num">{count}</span>}
            </button>
          ))}
        </div>
      )}
      <span className="spring" />
      <span className="label">{scope}</span>
    </div>
  );
}

/** An empty foot would still draw its line. */
function hasFoot({ foot, actions, onPrev, onNext }: Props): boolean {
  return Boolean(foot || actions || onPrev || onNext);
}

function Foot({ foot, actions, onPrev, onNext, stepLabel = '切换' }: Props) {
  return (
    <div className="drawer-foot">
      {foot}
      <span className="spring" />
      {actions ?? (
        <>
          {(onPrev || onNext) && (
            <span className="label">
              <kbd>↑</kbd> <kbd>↓</kbd> {stepLabel}
            </span>
          )}
          <span className="label">
            <kbd>Esc</kbd> 关闭
          </span>
        </>
      )}
    </div>
  );
}

function DrawerFrame(props: FrameProps) {
  const { open, onClose, title, subtitle, picture, extra, size, children } = props;
  useDrawerKeys(props);
  return (
    <Drawer
      className="detail-drawer"
      size={size}
      mask={false}
      open={open}
      onClose={onClose}
      closable={{ placement: 'end' }}
      extra={extra}
      title={
        <span className="drawer-title">
          {picture}
          <span className="drawer-title-text">
            <span className="ellipsis">{title}</span>
            {subtitle && <span className="label code">{subtitle}</span>}
          </span>
        </span>
      }
      footer={hasFoot(props) ? <Foot {...props} /> : null}
    >
      <Tabs {...props} />
      <div className="drawer-body">{children}</div>
    </Drawer>
  );
}

/** 760 px over a list: what a figure is made of. The list stays in use beside it. */
export function DetailDrawer(props: Props) {
  return <DrawerFrame {...props} size={760} />;
}

/** 452 px over a list: one object with its health and its settings. */
export function ObjectDrawer(props: Props) {
  return <DrawerFrame {...props} size={452} />;
}
