import { DownloadOutlined } from '@ant-design/icons';
import { Button, Input, Pagination } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { exportLines, type LineFilter, MoneyLineRow, settlementLines } from '../contract/settlements.ts';
import { REFERENCE_COLUMN } from './reference.tsx';

/** A figure of a settlement that was opened. */
export interface OpenFigure {
  title: string;
  /** What its lines must come to, as decimal text: money, or a number where `counts` says of what. */
  amount: string;
  counts?: 'quantity' | 'orders';
  filter: LineFilter;
}

interface Props {
  id: string;
  settlementId: string;
  currency: string;
  figure: OpenFigure | undefined;
  onClose: () => void;
}

const PAGE = 100;

/** The lines behind a figure, with the proof that they are the figure. */
export function LinesDrawer({ id, settlementId, currency, figure, onClose }: Props) {
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState('');
  useEffect(() => {
    // Another figure begins at its first line.
    if (figure) {
      setPage(1);
      setSearch('');
    }
  }, [figure]);
  const found = search === '' ? {} : /^\d{3}-/.test(search) ? { order: search } : { sku: search };
  const filter = { ...figure?.filter, ...found };
  const { data, isError, error, refetch } = useCall(
    settlementLines,
    { params: { id }, body: { filter, currentpage: page, pagesize: PAGE } },
    { enabled: figure !== undefined, keep: true },
  );
  const total = String(data?.totals?.[figure?.counts ?? 'amount'] ?? '0');
  return (
    <DetailDrawer
      open={figure !== undefined}
      onClose={onClose}
      title={figure?.title ?? ''}
      subtitle={`结算编号 ${settlementId}`}
      extra={
        <Allowed code="fin:settlement:export">
          <Button
            size="small"
            icon={<DownloadOutlined />}
            onClick={() =>
              void download(exportLines, { params: { id }, body: { filter, format: 'xlsx' } }).catch(() => {})
            }
          >
            导出明细
          </Button>
        </Allowed>
      }
      scope={
        <Input.Search
          size="small"
          allowClear
          placeholder="订单号或 SKU"
          aria-label="订单号或 SKU"
          onSearch={(text) => {
            setSearch(text.trim());
            setPage(1);
          }}
        />
      }
      foot={
        <>
          {figure && data && search === '' && (
            <Proof
              total={figure.amount}
              lines={total}
              {...(figure.counts ? {} : { currency })}
              text={`${data.total} 行合计与该${figure.counts ? '数量' : '金额'}一致`}
            />
          )}
          {data && data.total > PAGE && (
            <Pagination
              size="small"
              current={page}
              pageSize={PAGE}
              total={data.total}
              showSizeChanger={false}
              onChange={setPage}
            />
          )}
        </>
      }
    >
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LineTable
          label="结算明细行"
          row={MoneyLineRow}
          rows={data?.records}
          rowId={(row) => row.key}
          only={[
            'lineNo',
            'postedAt',
            'amountDescription',
            'amount',
            'quantity',
            'reference',
            'sku',
            'transactionType',
          ]}
          columns={{ reference: REFERENCE_COLUMN }}
          {...(data?.totals ? { totals: { ...data.totals, currency } } : {})}
        />
      )}
    </DetailDrawer>
  );
}
