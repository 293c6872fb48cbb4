import { FilterOutlined } from '@ant-design/icons';
import { Badge, Button, ConfigProvider, Popover } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useWidth } from '../grid/use-width.ts';
import { controlWidth, FilterControl } from './FilterControl.tsx';
import { type FilterField, isSet } from './fields.ts';
import type { ListStateControl } from './use-list-state.ts';

interface Props {
  fields: readonly FilterField[];
  state: ListStateControl;
  onQuery: () => void;
  /** Stands at the right end of the line. */
  extra?: ReactNode;
}

const GAP = 8;
const BUTTONS = 300;

/** The one search, and the days with the choice of what they are days of: these stay whatever the width. */
function staying(fields: readonly FilterField[]): FilterField[] {
  const own = fields.filter((field) => !field.optional);
  const dates = own.find((field) => field.control === 'dateRange');
  const search = own.find((field) => field.control === 'search');
  const type = own.find((field) => dates !== undefined && field.key === 'dateType');
  return [dates, search, type].filter((field) => field !== undefined);
}

/** What fits on the one line in the fields' order, and what goes behind 「更多筛选」. */
export function split(fields: readonly FilterField[], width: number): { line: FilterField[]; more: FilterField[] } {
  const stay = staying(fields);
  let left = width - BUTTONS - stay.reduce((sum, field) => sum + controlWidth(field) + GAP, 0);
  const line: FilterField[] = [];
  const more: FilterField[] = [];
  for (const field of fields) {
    const need = controlWidth(field) + GAP;
    if (stay.includes(field)) line.push(field);
    else if (!field.optional && need <= left) {
      line.push(field);
      left -= need;
    } else more.push(field);
  }
  return { line, more };
}

function More({ fields, state }: { fields: readonly FilterField[]; state: ListStateControl }) {
  const used = fields.filter((field) => isSet(state.filter[field.key])).length;
  const panel = (
    <div className="filter-more">
      {fields.map((field) => (
        <FilterControl
          key={field.key}
          field={field}
          block
          value={state.filter[field.key]}
          onChange={(value) => state.setFilter(field.key, value)}
        />
      ))}
    </div>
  );
  return (
    <Popover content={panel} trigger="click" placement="bottomLeft" arrow={false}>
      <Button icon={<FilterOutlined />}>
        更多筛选
        {used > 0 && <Badge count={used} className="filter-count" />}
      </Button>
    </Popover>
  );
}

/** One line of filters. Choices apply at once, texts on Enter or 「查询」. */
export function FilterBar({ fields, state, onQuery, extra }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { line, more } = split(fields, width);
  return (
    <div className="filter-bar" ref={box}>
      {width > 0 && (
        <ConfigProvider componentSize="small">
          {line.map((field) => (
            <FilterControl
              key={field.key}
              field={field}
              value={state.filter[field.key]}
              onChange={(value) => state.setFilter(field.key, value)}
            />
          ))}
          {more.length > 0 && <More fields={more} state={state} />}
          <Button onClick={onQuery}>查询</Button>
          <Button type="text" onClick={state.reset}>
            重置
          </Button>
          <span className="spring" />
          {extra}
        </ConfigProvider>
      )}
    </div>
  );
}
