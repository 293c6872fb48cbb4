import {
  ColumnHeightOutlined,
  DownloadOutlined,
  DownOutlined,
  LoadingOutlined,
  ReloadOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { Dropdown, type MenuProps, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { clockText, stampText } from '../cells/time.ts';
import type { Density } from '../cells/Value.tsx';

const DENSITIES: Record<Density, string> = { picture: '宽松（52）', two: '适中（46）', dense: '紧凑（36）' };
const OLD_AFTER = 3 * 3600_000;

interface Props {
  left?: ReactNode;
  asOf: string | null | undefined;
  density: Density;
  onDensity: (density: Density) => void;
  /** Name of the column version in use. */
  columns: string;
  columnsChanged: boolean;
  onColumns: () => void;
  exporting: boolean;
  onExport?: ((format: 'xlsx' | 'csv') => void) | undefined;
  /** Behind the usual formats. */
  otherExports?: readonly { label: string; onClick: () => void }[] | undefined;
  refreshing: boolean;
  onRefresh: () => void;
}

function Fresh({ asOf }: { asOf: string }) {
  const old = Date.now() - Date.parse(asOf) > OLD_AFTER;
  return (
    <span className={`fresh${old ? ' is-old' : ''}`} title={stampText(asOf)}>
      <i aria-hidden="true" />
      数据更新于 {clockText(asOf)}
    </span>
  );
}

/** The 40 px line over a grid: what is shown at left, how it is shown at right. */
export function Toolbar(props: Props) {
  const { left, asOf, density, onDensity, columns, columnsChanged, onColumns, exporting, onExport } = props;
  const densities: MenuProps['items'] = Object.entries(DENSITIES).map(([key, title]) => ({
    key,
    label: title,
    onClick: () => onDensity(key as Density),
  }));
  const formats: MenuProps['items'] = [
    { key: 'xlsx', label: 'Excel（.xlsx）', onClick: () => onExport?.('xlsx') },
    { key: 'csv', label: 'CSV', onClick: () => onExport?.('csv') },
    ...(props.otherExports ?? []).map(({ label, onClick }) => ({ key: label, label, onClick })),
  ];
  return (
    <div className="toolbar">
      {left}
      <span className="spring" />
      {asOf && (
        <>
          <Fresh asOf={asOf} />
          <span className="divider" />
        </>
      )}
      <Dropdown menu={{ items: densities, selectedKeys: [density] }} trigger={['click']}>
        <button type="button" className="tool">
          <ColumnHeightOutlined />
          行高
        </button>
      </Dropdown>
      <button type="button" className="tool" onClick={onColumns}>
        <SettingOutlined />
        列设置 · {columns}
        {columnsChanged && <i className="tool-changed" title="列的改动还没有保存" />}
        <DownOutlined className="tool-arrow" />
      </button>
      {onExport && (
        <Dropdown menu={{ items: formats }} trigger={['click']} disabled={exporting}>
          <button type="button" className="tool" disabled={exporting}>
            {exporting ? <LoadingOutlined /> : <DownloadOutlined />}
            {exporting ? '正在导出' : '导出'}
          </button>
        </Dropdown>
      )}
      <Tooltip title="刷新">
        <button type="button" className="tool" aria-label="刷新" onClick={props.onRefresh}>
          <ReloadOutlined spin={props.refreshing} />
        </button>
      </Tooltip>
    </div>
  );
}
