import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { quotaDetail } from '../../contract/quota/calls.ts';
import { QUOTA_APPLY, type QuotaRow, RequestRow, RequestState, StorageType } from '../../contract/quota/fields.ts';
import { DecideDialog } from './DecideDialog.tsx';

interface Props {
  id: string | undefined;
  onRequest: (quota: QuotaRow) => void;
  onClose: () => void;
}

/** A room with what Amazon was asked for beyond it. */
export function QuotaDrawer({ id, onRequest, onClose }: Props) {
  const mayApply = useAllowed(QUOTA_APPLY);
  const [decided, setDecided] = useState<RequestRow>();
  const { data, isError, error, refetch } = useCall(
    quotaDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const quota = data?.quota;
  const columns: ColumnOverrides<RequestRow> = {
    state: {
      render: (row) =>
        mayApply && row.state === 'pending' ? (
          <button type="button" className="link" onClick={() => setDecided(row)}>
            登记结果
          </button>
        ) : (
          <State value={row.state} states={RequestState.meta()?.states} />
        ),
      text: (row) => RequestState.meta()?.states?.[row.state]?.title ?? row.state,
    },
  };
  return (
    <>
      <DetailDrawer
        open={id !== undefined}
        onClose={onClose}
        title={quota ? `${StorageType.meta()?.states?.[quota.storageType]?.title} ${quota.month}` : '仓容额度'}
        subtitle={quota && `${quota.store.name}-${quota.store.country}，额度 ${quota.room} m³ / ${quota.roomFt} ft³`}
        actions={
          quota && (
            <Allowed code={QUOTA_APPLY}>
              <Button type="primary" onClick={() => onRequest(quota)}>
                申请额度
              </Button>
            </Allowed>
          )
        }
      >
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LineTable row={RequestRow} rows={data?.requests} columns={columns} label="申请记录" none="没有申请记录" />
        )}
      </DetailDrawer>
      {decided && <DecideDialog request={decided} onClose={() => setDecided(undefined)} />}
    </>
  );
}
