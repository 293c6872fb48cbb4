import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { listSettled, SETTLED_ROWS, type SettledFilter, type SettledRow } from '../contract/settled.ts';

interface Props {
  filter: SettledFilter;
  row: SettledRow;
  /** Opens the lines of one of the settlements; left out for who may not see them. */
  onOpen: ((row: SettledRow) => void) | undefined;
  onClose: () => void;
}

const MOST = 100;
const SHOWN = ['settlementId', 'store', 'endAt', 'units', 'sales', 'platformNet', 'profit'] as const;

/** The settlements that a row is made of, each in its own currency: what was converted cannot be held against lines. */
export function SettledDrawer({ filter, row, onOpen, onClose }: Props) {
  const own: SettledFilter = {
    ...filter,
    view: 'settlement',
    currency: 'ORIGINAL',
    skus: [row.sku ?? ''],
    ...(row.storeKey === null ? {} : { stores: [row.storeKey] }),
    ...(row.settlementId === null ? {} : { settlementId: row.settlementId }),
  };
  const { data, isError, error, refetch } = useCall(listSettled, {
    body: { filter: own, currentpage: 1, pagesize: MOST },
  });
  const more = (data?.total ?? 0) - MOST;
  return (
    <DetailDrawer
      open
      onClose={onClose}
      title={row.product?.name ?? ''}
      subtitle={row.product?.code}
      foot={more > 0 && <span className="text2">还有 {more} 个账期未列出，请缩短日期</span>}
    >
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LineTable
          label="所在账期"
          row={SETTLED_ROWS.settlement}
          rows={data?.records}
          rowId={({ id }) => id}
          only={SHOWN}
          columns={{ platformNet: { pinned: 'right' } }}
          none="没有账期"
          {...(onOpen ? { onOpen } : {})}
        />
      )}
    </DetailDrawer>
  );
}
