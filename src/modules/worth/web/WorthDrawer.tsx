import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { FilterValue } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { COST, type WorthFilter } from '../contract/fields.ts';
import { WorthLayer, WorthLine, type WorthRow, worthDetail } from '../contract/worth.ts';

interface Props {
  row: WorthRow;
  filter: FilterValue;
  onClose: () => void;
}

/** What is behind a row: its lines, and the layers of its product with the documents that made them. */
export function WorthDrawer({ row, filter, onClose }: Props) {
  const { firstKey, secondKey } = row;
  const body = { filter: filter as WorthFilter, firstKey, secondKey };
  const { data, isError, error, refetch } = useCall(worthDetail, { body }, { keep: true });
  const seesCost = useAllowed(COST);
  return (
    <DetailDrawer open onClose={onClose} title={row.first} subtitle={row.second ?? undefined}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!isError && <LineTable label="货值明细" row={WorthLine} rows={data?.lines} />}
      {seesCost && data && data.layers.length > 0 && (
        <>
          <h2 className="drawer-heading">成本层</h2>
          <LineTable
            label="成本层"
            row={WorthLayer}
            rows={data.layers}
            columns={{
              number: {
                render: ({ number, path }) =>
                  path ? (
                    <TabLink to={path} title={number}>
                      {number}
                    </TabLink>
                  ) : (
                    number
                  ),
              },
            }}
          />
        </>
      )}
    </DetailDrawer>
  );
}
