import { useState } from 'react';
import { z } from 'zod';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  countReservations,
  listReservations,
  ReservationFilter,
  ReservationRow,
  releaseReservation,
} from '../../contract/inventory.ts';
import { DocumentLink } from '../links.tsx';
import { ReassignDialog } from '../ReassignDialog.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const COLUMNS: ColumnOverrides<ReservationRow> = {
  number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
};
const Reason = z.object({ reason: releaseReservation.body.shape.reason });

/** 预留明细: who holds what is 待出库. */
export default function Reservations() {
  const [row, setRow] = useState<ReservationRow>();
  const [moving, setMoving] = useState<ReservationRow>();
  const form = useForm(Reason, {});
  const warehouses = useWarehouseOptions();
  const mayRelease = useAllowed('erp:inv:release');
  const open = (one: ReservationRow) => {
    form.reset({});
    setRow(one);
  };
  return (
    <>
      <ListScreen
        name="warehouse/reservations"
        title="预留明细"
        unit="条"
        endpoint={listReservations}
        row={ReservationRow}
        filter={ReservationFilter}
        tabs={{ field: 'state', counts: countReservations }}
        options={{ warehouses }}
        columns={COLUMNS}
        {...(mayRelease
          ? {
              actions: (one: ReservationRow) => [
                {
                  label: '改派',
                  onClick: () => setMoving(one),
                  blocked: one.held === 0 ? '已没有占用' : undefined,
                },
                {
                  label: '释放',
                  onClick: () => open(one),
                  danger: true,
                  blocked: one.held === 0 ? '已没有占用' : undefined,
                },
              ],
            }
          : {})}
        empty={<Empty title="没有预留" text="出库、调拨、发货单审核通过后，占用的库存会列在这里。" />}
      />
      <FormDialog
        title={row ? `释放 ${row.number} 占用的 ${row.held} 件 ${row.product.code}` : '释放预留'}
        open={row !== undefined}
        form={form}
        okText="释放"
        columns={1}
        onSubmit={async ({ reason }) => {
          await call(
            releaseReservation,
            { body: { id: row?.id ?? '', reason } },
            { quiet: true, idempotencyKey: uuid() },
          );
          for (const each of [listReservations, countReservations]) {
            await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
          }
        }}
        onClose={() => setRow(undefined)}
      />
      {moving && <ReassignDialog key={moving.id} row={moving} onClose={() => setMoving(undefined)} />}
    </>
  );
}
