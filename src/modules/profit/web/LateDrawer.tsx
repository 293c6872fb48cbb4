import { Pagination } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { LateRow, listLateMoney } from '../contract/late.ts';
import { LateLines } from './LateLines.tsx';

const PAGE = 50;

/** 关账后发生: what came after a month was closed, figure by figure; a row opens the lines that it is of. */
export function LateDrawer({ month, onClose }: { month: string; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<LateRow>();
  const body = { currentpage: page, pagesize: PAGE, filter: { month } };
  const { data, isError, error, refetch } = useCall(listLateMoney, { body }, { keep: true, staleTime: 0 });
  return (
    <DetailDrawer
      open
      onClose={onClose}
      title={`${month} 关账后发生`}
      subtitle="属于本月、关账后才到的收支与成本变动，按所在店铺的币种"
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {open && <LateLines row={open} onBack={() => setOpen(undefined)} />}
      {!isError && !open && (
        <LineTable
          label="关账后发生"
          row={LateRow}
          rows={data?.records}
          rowId={({ id }) => id}
          none="关账后没有收支到达"
          onOpen={setOpen}
        />
      )}
      {data && !open && data.total > PAGE && (
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE}
          total={data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </DetailDrawer>
  );
}
