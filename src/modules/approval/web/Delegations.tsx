import { Button, DatePicker, Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Tag, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import {
  addDelegation,
  type DelegationRow,
  DelegationState,
  listDelegations,
  revokeDelegation,
} from '../contract/delegation.ts';
import { PeopleSelect } from './PeopleSelect.tsx';

function Row({ row, onRevoke }: { row: DelegationRow; onRevoke: () => void }) {
  const meta = DelegationState.meta()?.states?.[row.state];
  const words = [
    row.docTitles.join('、') || '全部单据',
    row.amountMax && `不超过 ${row.amountMax} ${row.base}`,
    row.reason,
  ];
  return (
    <li className="approval-delegation">
      {meta && <Tag tone={meta.tone} title={meta.title} />}
      <span>
        <b>
          {row.fromName} → {row.toName}
        </b>
        <span className="label">
          {' '}
          <When at={row.startsAt} /> 至 <When at={row.endsAt} /> · {words.filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="spring" />
      {row.mine && ['coming', 'active'].includes(row.state) && <Button onClick={onRevoke}>取消</Button>}
    </li>
  );
}

/** 我的委托: who decides for the reader and for whom he does, and a new one. */
export function Delegations({ onClose }: { onClose: () => void }) {
  const { data } = useCall(listDelegations, {}, { staleTime: 0 });
  const [to, setTo] = useState<string[]>([]);
  const [times, setTimes] = useState<[Dayjs, Dayjs]>([dayjs(), dayjs().add(7, 'day')]);
  const [reason, setReason] = useState('');
  const add = useSend(addDelegation, {
    refreshes: [listDelegations],
    onSuccess: () => {
      notice.success('委托已生效，期间的新任务由受托人审批');
      setTo([]);
      setReason('');
    },
  });
  const revoke = useSend(revokeDelegation, { refreshes: [listDelegations] });
  return (
    <DetailDrawer open onClose={onClose} title="我的委托">
      <div className="approval-form">
        <PeopleSelect label="受托人" single value={to} onChange={setTo} />
        <DatePicker.RangePicker
          showTime
          allowClear={false}
          value={times}
          onChange={(range) => {
            if (range?.[0] && range[1]) setTimes([range[0], range[1]]);
          }}
        />
        <Input
          aria-label="原因"
          placeholder="原因，例如：休假"
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <span>
          <Button
            type="primary"
            disabled={to.length === 0}
            loading={add.isPending}
            onClick={() =>
              add.mutate({
                body: { toId: to[0] ?? '', startsAt: times[0].toISOString(), endsAt: times[1].toISOString(), reason },
              })
            }
          >
            委托
          </Button>
        </span>
      </div>
      <ul className="approval-delegations">
        {data?.map((row) => (
          <Row key={row.id} row={row} onRevoke={() => revoke.mutate({ params: { id: row.id } })} />
        ))}
        {data?.length === 0 && <li className="label">还没有委托</li>}
      </ul>
    </DetailDrawer>
  );
}
