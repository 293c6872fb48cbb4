import { Pagination } from 'antd';
import type { ReactNode } from 'react';
import { formatInteger } from '../../contract/format.ts';
import { PAGE_SIZES } from '../../contract/page.ts';

/** The server counts rows no further and turns no pages beyond; one more says that there are more. */
export const COUNT_LIMIT = 10_000;

/** "1,284", or "10,000+" where the server stopped counting; a larger number comes from sums and is exact. */
export function totalText(total: number): string {
  return total === COUNT_LIMIT + 1 ? `${formatInteger(COUNT_LIMIT)}+` : formatInteger(total);
}

interface Props {
  /** Undefined while nothing is known. */
  total: number | undefined;
  /** The first answer is on its way. */
  loading?: boolean;
  page: number;
  size: number;
  unit?: string;
  note?: ReactNode;
  onChange: (page: number, size: number) => void;
}

/** The 44 px line under a grid: how many there are, and the way through them. */
export function Pager({ total, loading = false, page, size, unit = '条', note, onChange }: Props) {
  return (
    <div className="pager">
      <span>
        {total === undefined ? (loading ? '正在加载' : '未取到数据') : '共 '}
        {total !== undefined && <b className="num">{totalText(total)}</b>}
        {total !== undefined && ` ${unit}`}
      </span>
      {note && <span className="divider" />}
      {note}
      <span className="spring" />
      {total !== undefined && total > 0 && (
        <Pagination
          size="small"
          current={page}
          pageSize={size}
          total={Math.min(total, COUNT_LIMIT)}
          pageSizeOptions={[...PAGE_SIZES]}
          showSizeChanger
          showQuickJumper
          showLessItems={false}
          onChange={(next, nextSize) => onChange(nextSize === size ? next : 1, nextSize)}
        />
      )}
    </div>
  );
}
