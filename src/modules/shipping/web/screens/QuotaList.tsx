import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportQuotas, listQuotas, removeQuota } from '../../contract/quota/calls.ts';
import { QUOTA_APPLY, QUOTA_EDIT, QUOTA_EXPORT, QuotaFilter, QuotaRow } from '../../contract/quota/fields.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { QuotaDialog } from '../quota/QuotaDialog.tsx';
import { QuotaDrawer } from '../quota/QuotaDrawer.tsx';
import { RequestDialog } from '../quota/RequestDialog.tsx';

const overdrawn = (key: 'free' | 'freeFt') => ({
  render: (row: QuotaRow) => <span className={`num ${row.state === 'over' ? 'danger' : ''}`}>{row[key] ?? '—'}</span>,
  text: (row: QuotaRow) => row[key] ?? '',
});
const COLUMNS: ColumnOverrides<QuotaRow> = { free: overdrawn('free'), freeFt: overdrawn('freeFt') };

/** 仓容额度: how much room Amazon gives for each type of goods, what is taken of it, and what more was asked for. */
export default function QuotaList() {
  const choices = useShipChoices();
  const mayEdit = useAllowed(QUOTA_EDIT);
  const mayApply = useAllowed(QUOTA_APPLY);
  const mayExport = useAllowed(QUOTA_EXPORT);
  const [edited, setEdited] = useState<QuotaRow | 'new'>();
  const [asked, setAsked] = useState<QuotaRow>();
  const [open, setOpen] = useState<string>();
  const remove = useSend(removeQuota, { refreshes: [listQuotas], onSuccess: () => notice.success('仓容额度已删除') });
  const add = (
    <Allowed code={QUOTA_EDIT}>
      <Button type="primary" onClick={() => setEdited('new')}>
        新增额度
      </Button>
    </Allowed>
  );
  const offers = (row: QuotaRow) => [
    ...(mayApply ? [{ label: '申请额度', onClick: () => setAsked(row) }] : []),
    ...(mayEdit
      ? [
          { label: '编辑', edits: true, onClick: () => setEdited(row) },
          {
            label: '删除',
            danger: true,
            onClick: () => remove.mutate({ body: { id: row.id, version: row.version } }),
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="shipping/quotas"
        title="仓容额度"
        unit="个额度"
        endpoint={listQuotas}
        {...(mayExport ? { exportEndpoint: exportQuotas } : {})}
        row={QuotaRow}
        filter={QuotaFilter}
        options={{ authid: toOptions(choices?.stores) }}
        columns={COLUMNS}
        onOpen={(row) => setOpen(row.id)}
        current={open}
        {...(mayEdit || mayApply ? { actions: offers } : {})}
        head={add}
        empty={
          <Empty
            title="还没有仓容额度"
            text="按店铺、站点、仓储类型和月份录入卖家后台的容量限制，系统按库存、在途和待发计算剩余。"
          >
            {add}
          </Empty>
        }
      />
      <QuotaDrawer id={open} onRequest={setAsked} onClose={() => setOpen(undefined)} />
      {edited && (
        <QuotaDialog
          quota={edited === 'new' ? undefined : edited}
          month={companyDay().slice(0, 7)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {asked && <RequestDialog quota={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
