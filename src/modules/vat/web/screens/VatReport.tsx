import { Button, DatePicker, Segmented, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { download, useCall } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { EXPORT } from '../../contract/fields.ts';
import {
  exportOssSummary,
  exportPeriodReport,
  OssRow,
  ossSummary,
  PeriodRow,
  periodReport,
} from '../../contract/report.ts';
import { readSettings } from '../../contract/settings.ts';
import '../vat.css';

type Kind = 'month' | 'quarter' | 'oss';
const KINDS = [
  { value: 'month', label: '按月' },
  { value: 'quarter', label: '按季度' },
  { value: 'oss', label: 'OSS汇总' },
];

const quarterText = (day: Dayjs): string => `${day.year()}Q${Math.floor(day.month() / 3) + 1}`;
const monthText = (day: Dayjs): string => day.format('YYYY-MM');

const Missing = ({ missing }: { missing: readonly string[] | undefined }) =>
  missing?.length ? <p className="danger">缺少汇率：{missing.join('、')}，对应的欧元金额为空</p> : null;

interface Asked {
  first: Dayjs;
  last: Dayjs;
  entityId: string | undefined;
}

function Periods({ kind, first, last, entityId }: Asked & { kind: 'month' | 'quarter' }) {
  const text = kind === 'month' ? monthText : quarterText;
  const body = { from: text(first), to: text(last), ...(entityId ? { entityId } : {}) };
  const { data, isError, error, refetch } = useCall(periodReport, { body }, { keep: true });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Missing missing={data?.missing} />
      <LineTable label="VAT期间报表" row={PeriodRow} rows={data?.rows} none="这段时间没有已开具的单据" />
    </>
  );
}

function Oss({ last, entityId }: Asked) {
  const body = { quarter: quarterText(last), ...(entityId ? { entityId } : {}) };
  const { data, isError, error, refetch } = useCall(ossSummary, { body }, { keep: true });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Missing missing={data?.missing} />
      <LineTable label="OSS申报汇总" row={OssRow} rows={data?.rows} none="这个季度没有按OSS计税的单据" />
    </>
  );
}

/** VAT报表: issued documents by country and rate over months or quarters, and what a declaration to the one-stop shop says. */
export default function VatReport() {
  const [kind, setKind] = useState<Kind>('month');
  const [first, setFirst] = useState(() => dayjs().subtract(2, 'month'));
  const [last, setLast] = useState(() => dayjs());
  const [entityId, setEntityId] = useState<string>();
  const { data: settings } = useCall(readSettings, {});
  const mayExport = useAllowed(EXPORT);
  const picker = kind === 'month' ? 'month' : 'quarter';
  const asked = { first, last, entityId };
  const entity = entityId ? { entityId } : {};
  const save = () => {
    const text = kind === 'month' ? monthText : quarterText;
    const file =
      kind === 'oss'
        ? download(exportOssSummary, { body: { quarter: quarterText(last), ...entity } })
        : download(exportPeriodReport, { body: { from: text(first), to: text(last), ...entity } });
    void file.catch(() => {});
  };
  return (
    <div className="page-list">
      <ListHead title="VAT报表">{mayExport && <Button onClick={save}>导出</Button>}</ListHead>
      <div className="vat-body">
        <div className="vat-bar">
          <Segmented options={KINDS} value={kind} onChange={(value) => setKind(value as Kind)} />
          {kind !== 'oss' && (
            <DatePicker
              aria-label="起始期间"
              picker={picker}
              allowClear={false}
              value={first}
              onChange={(day) => day && setFirst(day)}
            />
          )}
          <DatePicker
            aria-label={kind === 'oss' ? '季度' : '结束期间'}
            picker={picker}
            allowClear={false}
            value={last}
            onChange={(day) => day && setLast(day)}
          />
          <Select
            aria-label="开票主体"
            allowClear
            placeholder="全部主体"
            style={{ width: 200 }}
            options={settings?.entities.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={entityId}
            onChange={setEntityId}
          />
        </div>
        {kind === 'oss' ? <Oss {...asked} /> : <Periods kind={kind} {...asked} />}
      </div>
    </div>
  );
}
