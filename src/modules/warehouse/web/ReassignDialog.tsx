import './warehouse.css';
import { Radio } from 'antd';
import { cacheKey, call, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countReservations, listReservations, type ReservationRow } from '../contract/inventory.ts';
import { type ReassignTarget, readReassignTargets, reassignReservation } from '../contract/reassign.ts';
import { DocumentLink } from './links.tsx';

const Wish = reassignReservation.body.omit({ id: true });

function Choice({ target }: { target: ReassignTarget }) {
  const about = [target.kind, target.state, target.partner, target.plannedOn && `计划 ${target.plannedOn}`];
  return (
    <span className="reassign-target">
      <span>
        <DocumentLink number={target.number} path={target.path} />
        <small>{about.filter(Boolean).join(' · ')}</small>
      </span>
      <b>缺 {target.lacking}</b>
    </span>
  );
}

interface Props {
  row: ReservationRow;
  onClose: () => void;
}

/** Gives what one document holds to another one of the warehouse that lacks the same product. */
export function ReassignDialog({ row, onClose }: Props) {
  const form = useForm(Wish, {});
  const { data, error } = useCall(readReassignTargets, { query: { id: row.id } });
  const targets = data?.targets ?? [];
  const most = (id: unknown) => Math.min(data?.movable ?? 0, targets.find((one) => one.id === id)?.lacking ?? 0);
  const choose = (id: string) => {
    form.set('documentId', id);
    form.set('qty', most(id));
  };
  const chosen = form.values.documentId;
  const obstacle = error ? '读取可改派的单据失败，请关闭后重试' : data?.obstacle;
  const none = data && !obstacle && targets.length === 0;
  return (
    <FormDialog
      title={`改派 ${row.number} 占用的 ${row.product.code}`}
      open
      form={form}
      okText="改派"
      columns={1}
      fields={{
        documentId: {
          render: ({ value }) => (
            <Radio.Group
              className="reassign-targets"
              value={value ?? null}
              onChange={(event) => choose(String(event.target.value))}
              options={targets.map((target) => ({ value: target.id, label: <Choice target={target} /> }))}
            />
          ),
          hidden: targets.length === 0,
        },
        qty: { help: chosen ? `最多 ${most(chosen)} 件` : undefined, hidden: targets.length === 0 },
        reason: { hidden: targets.length === 0 },
      }}
      onSubmit={async (wish) => {
        const { message } = await call(
          reassignReservation,
          { body: { id: row.id, ...wish } },
          { quiet: true, idempotencyKey: uuid() },
        );
        notice.success(message);
        for (const each of [listReservations, countReservations]) {
          await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
        }
      }}
      onClose={onClose}
    >
      {obstacle && <p className="reassign-about">{obstacle}</p>}
      {none && (
        <p className="reassign-about">
          {row.warehouse}没有其他单据缺 {row.product.code}
          。已审核而占用不足的出库单、调库单、加工单和海外仓备货单可以接收改派。
        </p>
      )}
      {targets.length > 0 && (
        <p className="reassign-about">
          {row.warehouse} · {row.location}，可改派 {data?.movable} 件，已拣货的不能改派
        </p>
      )}
    </FormDialog>
  );
}
