import '../organisation/organisation.css';
import { PlusOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  ClientFilter,
  ClientRow,
  listClients,
  removeClient,
  rotateClient,
  type Secret,
} from '../../contract/operator.ts';
import { ClientDialog } from '../operator/ClientDialog.tsx';
import { SecretDialog, type SecretLine } from '../organisation/SecretDialog.tsx';

const NOTHING = <Empty title="还没有客户端" text="外部程序登记为客户端后，可以请用户用本系统的账号登录。" />;

/** 客户端 (operator): programs that may ask for a log-in of this product. */
export default function Clients() {
  const [client, setClient] = useState<ClientRow | 'new'>();
  const [secret, setSecret] = useState<SecretLine[]>();
  const mayEdit = useAllowed('sys:client:edit');
  const mayDelete = useAllowed('sys:client:delete');
  const show = (made: Secret) =>
    setSecret([
      { label: '客户端ID', value: made.clientId },
      { label: '密钥', value: made.secret },
      { label: '发现地址', value: made.discovery },
    ]);
  const rotate = useSend(rotateClient, { refreshes: [listClients], onSuccess: show });
  const remove = useSend(removeClient, { refreshes: [listClients], onSuccess: () => notice.success('客户端已删除') });
  const actions = (row: ClientRow): RowAction[] => [
    ...(mayEdit
      ? [
          { label: '编辑', onClick: () => setClient(row) },
          {
            label: '轮换密钥',
            onClick: () =>
              Modal.confirm({
                title: `轮换 ${row.clientId} 的密钥`,
                content: '原密钥立即失效，使用它的程序须换上新密钥。',
                okText: '轮换',
                okButtonProps: { danger: true },
                onOk: () => rotate.mutateAsync({ params: { id: row.id } }),
              }),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            label: '删除',
            danger: true,
            onClick: () =>
              Modal.confirm({
                title: `删除客户端 ${row.clientId}`,
                content: '使用它的程序将不能再登录。',
                okText: '删除',
                okButtonProps: { danger: true },
                onOk: () => remove.mutateAsync({ params: { id: row.id } }),
              }),
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="identity/clients"
        title="客户端"
        unit="个客户端"
        endpoint={listClients}
        row={ClientRow}
        filter={ClientFilter}
        density="two"
        actions={actions}
        onOpen={setClient}
        empty={NOTHING}
        head={
          <Allowed code="sys:client:add">
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setClient('new')}>
              新增客户端
            </Button>
          </Allowed>
        }
      />
      <ClientDialog client={client} onClose={() => setClient(undefined)} onSecret={show} />
      <SecretDialog
        title="请记下密钥"
        lines={secret}
        note="密钥只显示这一次，遗失后只能轮换。"
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}
