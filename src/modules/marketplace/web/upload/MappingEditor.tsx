import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import {
  type MappingOptions,
  OrderListMapping,
  readMapping,
  saveMapping,
  uploadCounts,
  uploadDetail,
  uploadList,
} from '../../contract/uploads.ts';

type Known = Reply<typeof readMapping>;
type Field = keyof OrderListMapping;

const FIELDS = Object.entries(OrderListMapping.shape).map(([key, schema]) => ({
  key: key as Field,
  title: metaOf(schema).title ?? key,
}));
const REQUIRED: readonly Field[] = ['orderNumber', 'date', 'quantity'];

const DAY_ORDERS = [
  { value: 'day-first', label: '日 / 月 / 年' },
  { value: 'month-first', label: '月 / 日 / 年' },
];

function Sample({ known }: { known: Known }) {
  const columns = known.headers.map((name, place) => ({ name, place }));
  const lines = known.sample.map((cells, place) => ({ cells, place }));
  return (
    <div className="upload-table" style={{ maxHeight: 180 }}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, place }) => (
              <th key={place}>{name || '（无列名）'}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.place}>
              {columns.map(({ place }) => (
                <td key={place} className="ellipsis">
                  {line.cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Form({ id, known, onChecked }: { id: string; known: Known; onChecked: () => void }) {
  const [mapping, setMapping] = useState<OrderListMapping>(known.mapping);
  const [options, setOptions] = useState<MappingOptions>(known.options);
  const send = useSend(saveMapping, { refreshes: [uploadDetail, uploadList, uploadCounts], onSuccess: onChecked });
  const missing = REQUIRED.filter((field) => !mapping[field]);
  const columns = known.headers.filter((name) => name !== '').map((name) => ({ value: name, label: name }));
  return (
    <>
      <Sample known={known} />
      <div className="mapping-grid">
        {FIELDS.map(({ key, title }) => (
          <div key={key} className={`field${REQUIRED.includes(key) ? ' is-required' : ''}`}>
            <span className="label">{title}</span>
            <Select
              size="small"
              allowClear
              showSearch
              aria-label={title}
              placeholder="不导入"
              status={REQUIRED.includes(key) && !mapping[key] ? 'error' : ''}
              options={columns}
              value={mapping[key] ?? null}
              onChange={(name: string | null | undefined) => setMapping({ ...mapping, [key]: name ?? null })}
            />
          </div>
        ))}
        <div className="field">
          <span className="label">日期顺序（无法判断时）</span>
          <Select
            size="small"
            allowClear
            aria-label="日期顺序"
            placeholder="按文件判断"
            options={DAY_ORDERS}
            value={options.dayOrder ?? null}
            onChange={(value) => setOptions({ ...options, dayOrder: (value ?? null) as MappingOptions['dayOrder'] })}
          />
        </div>
        <div className="field">
          <span className="label">币种（文件没有币种列时）</span>
          <Input
            size="small"
            maxLength={3}
            aria-label="币种"
            placeholder="按站点"
            value={options.currency ?? ''}
            onChange={(event) => setOptions({ ...options, currency: event.target.value.toUpperCase() || null })}
          />
        </div>
        <div className="field">
          <span className="label">时区（日期没有时区时）</span>
          <Input
            size="small"
            maxLength={60}
            aria-label="时区"
            placeholder="按站点"
            value={options.timeZone ?? ''}
            onChange={(event) => setOptions({ ...options, timeZone: event.target.value.trim() || null })}
          />
        </div>
      </div>
      <Button
        type="primary"
        disabled={missing.length > 0}
        loading={send.isPending}
        onClick={() => send.mutate({ body: { id, mapping, options } })}
      >
        保存映射并预检
      </Button>
      {known.remembered && <span className="text3"> 已套用上次相同表头的映射</span>}
    </>
  );
}

/** What each column of an order list means; remembered for the next file with the same headers. */
export function MappingEditor({ id, onChecked }: { id: string; onChecked: () => void }) {
  const { data, error, isFetching, refetch } = useCall(readMapping, { query: { id } }, { staleTime: 0 });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  // The form begins with what is stored now, never with an answer from before the last save.
  if (!data || isFetching) return null;
  return <Form key={id} id={id} known={data} onChecked={onChecked} />;
}
