import '../accounting.css';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { listRules, RuleRow } from '../../contract/rules.ts';
import { RuleDialog } from '../RuleDialog.tsx';

/** 凭证模板: which subjects the events of the business are booked on, and how many of them make one voucher. */
export default function Rules() {
  const { data, error, isError, refetch } = useCall(listRules, { body: {} });
  const [asked, setAsked] = useState<string>();
  const columns: ColumnOverrides<RuleRow> = {
    title: {
      render: (row) => (
        <button type="button" className="link" onClick={() => setAsked(row.source)}>
          {row.title}
        </button>
      ),
      text: (row) => row.title,
    },
  };
  return (
    <div className="page-list">
      <ListHead title="凭证模板" />
      <div className="accounting-body is-first">
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LineTable
            row={RuleRow}
            rows={data}
            rowId={({ source }) => source}
            columns={columns}
            onOpen={(row) => setAsked(row.source)}
            label="凭证模板"
          />
        )}
        <p className="label">
          每次保存是一个新版本，从生效月份起使用；已过账的凭证不因模板修改而变动，未改动过的草稿在下次生成时更新。
        </p>
      </div>
      {asked !== undefined && <RuleDialog source={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
