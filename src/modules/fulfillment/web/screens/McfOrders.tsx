import { PlusOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { cacheKey, queryClient, useSend } from '#kit/web/api/index.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { usePhone } from '#kit/web/phone/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { cancelMcf, releaseMcf, submitMcf } from '../../contract/create.ts';
import { countMcf, exportMcf, listMcf, McfFilter, McfRow } from '../../contract/orders.ts';
import { ADD, CANCEL, CANCELLABLE, EXPORT, IMPORT, SUBMITTABLE } from '../../contract/states.ts';
import { CreateDialog } from '../CreateDialog.tsx';
import { check, commit, template } from '../import.ts';
import { McfDrawer } from '../McfDrawer.tsx';
import { PHONE } from '../phone.ts';
import { REFRESHES } from '../refresh.ts';

/** What can be done with an order, by those who may. */
function useActions(onOpen: (id: string) => void) {
  const { modal } = App.useApp();
  const mayAdd = useAllowed(ADD);
  const mayCancel = useAllowed(CANCEL);
  const submit = useSend(submitMcf, {
    refreshes: REFRESHES,
    onSuccess: ({ submitted }) => notice.success(`已提交 ${submitted} 个订单，等待亚马逊接收`),
  });
  const release = useSend(releaseMcf, {
    refreshes: REFRESHES,
    onSuccess: () => notice.success('已放行，等待亚马逊处理'),
  });
  const cancel = useSend(cancelMcf, {
    refreshes: REFRESHES,
    onSuccess: () => notice.success('已取消或已向亚马逊申请取消'),
  });
  const stop = (row: McfRow) =>
    modal.confirm({
      title: `取消多渠道订单 ${row.number}`,
      content: '已提交的订单由亚马逊决定：拣货开始后不能取消，会继续配送。',
      okText: '取消订单',
      okButtonProps: { danger: true },
      cancelText: '返回',
      onOk: () => cancel.mutateAsync({ body: { id: row.id } }),
    });
  const actions = (row: McfRow) => [
    { label: '详情', onClick: () => onOpen(row.id) },
    ...(mayAdd && row.state === 'HELD'
      ? [{ label: '放行', onClick: () => release.mutate({ body: { id: row.id } }) }]
      : []),
    ...(mayAdd && SUBMITTABLE.includes(row.state)
      ? [{ label: '提交', onClick: () => submit.mutate({ body: { ids: [row.id] } }) }]
      : []),
    ...(mayCancel && CANCELLABLE.includes(row.state)
      ? [{ label: '取消', danger: true, onClick: () => stop(row) }]
      : []),
  ];
  const batch = [
    {
      label: '提交',
      unfit: (row: McfRow) => (SUBMITTABLE.includes(row.state) ? undefined : '不是草稿，也没有被拒绝'),
      onClick: (rows: McfRow[]) => submit.mutate({ body: { ids: rows.map(({ id }) => id) } }),
    },
  ];
  return { actions, batch, mayAdd };
}

/** Orders of buyers from elsewhere that Amazon sends out of FBA stock, the newest first. */
function WideOrders() {
  const sites = useSiteOptions();
  const [open, setOpen] = useState<string>();
  const [dialog, setDialog] = useState<'create' | 'import'>();
  const { actions, batch, mayAdd } = useActions(setOpen);
  const mayImport = useAllowed(IMPORT);
  const mayExport = useAllowed(EXPORT);
  const close = () => setDialog(undefined);
  const add = mayAdd && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setDialog('create')}>
      新建
    </Button>
  );
  return (
    <>
      <ListScreen
        name="fulfillment/mcf"
        title="多渠道订单"
        unit="单"
        endpoint={listMcf}
        row={McfRow}
        filter={McfFilter}
        options={{ sites }}
        tabs={{ field: 'tab', counts: countMcf }}
        current={open}
        onOpen={({ id }) => setOpen(id)}
        actions={actions}
        actionsWidth={110}
        head={
          <>
            {mayImport && <Button onClick={() => setDialog('import')}>导入</Button>}
            {add}
          </>
        }
        {...(mayAdd ? { batch } : {})}
        {...(mayExport ? { exportEndpoint: exportMcf } : {})}
        empty={
          <Empty
            title="还没有多渠道订单"
            text="独立站和其他平台的订单可以由亚马逊用 FBA 库存配送；在亚马逊创建的也会同步到这里。"
          >
            {add}
          </Empty>
        }
      />
      <McfDrawer id={open} onClose={() => setOpen(undefined)} />
      {dialog === 'create' && <CreateDialog onClose={close} />}
      <ImportDialog
        title="导入多渠道订单"
        open={dialog === 'import'}
        onClose={close}
        check={check}
        commit={commit}
        template={template}
        onDone={() => {
          for (const each of REFRESHES) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
        }}
        accept=".xlsx,.csv,.txt"
      />
    </>
  );
}

/** 多渠道订单, on a phone the page of cards. */
export default function McfOrders() {
  const phone = usePhone();
  return phone ? <Navigate to={PHONE} replace /> : <WideOrders />;
}
