import { PlusOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient, useCall, useSend } from '#kit/web/api/index.ts';
import { Country, Tag } from '#kit/web/cells/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  AddressFilter,
  AddressRow,
  countAddresses,
  defaultAddress,
  disableAddress,
  exportAddresses,
  listAddresses,
  restoreAddress,
} from '../../contract/addresses.ts';
import { listStores } from '../../contract/stores.ts';
import { AddressDialog } from '../address/AddressDialog.tsx';
import { check, commit, template } from '../address/import.ts';

const CHANGED = { refreshes: [listAddresses, countAddresses] };

type Window = { kind: 'import' } | { kind: 'edit'; address: AddressRow | undefined };

/** 发货地址: where goods leave for the marketplace, per store and site, with one default each. */
export default function Addresses() {
  const { modal } = App.useApp();
  const [open, setOpen] = useState<Window>();
  const mayEdit = useAllowed('amz:address:edit');
  const mayDelete = useAllowed('amz:address:delete');
  const mayExport = useAllowed('amz:address:export');
  const seesStores = useAllowed('amz:store:view');
  const stores = useCall(listStores, {}, { enabled: seesStores });
  const choices = (stores.data ?? []).map((store) => ({ value: store.id, label: store.name }));
  const setDefault = useSend(defaultAddress, CHANGED);
  const disable = useSend(disableAddress, CHANGED);
  const restore = useSend(restoreAddress, CHANGED);
  const close = () => setOpen(undefined);
  const drop = (row: AddressRow) =>
    modal.confirm({
      title: `删除发货地址「${row.name}」`,
      content: '删除后不再出现在选择中，已有单据不受影响，可以在「已删除」中恢复。',
      okText: '删除地址',
      okButtonProps: { danger: true },
      cancelText: '取消',
      onOk: () => disable.mutateAsync({ query: { id: row.id } }),
    });
  const actionsOf = (row: AddressRow) => {
    const { id } = row;
    if (row.status === 'disabled') {
      return mayDelete ? [{ label: '恢复', onClick: () => restore.mutate({ body: { id } }) }] : [];
    }
    return [
      ...(mayEdit ? [{ label: '编辑', onClick: () => setOpen({ kind: 'edit', address: row }), edits: true }] : []),
      ...(mayEdit && !row.isDefault ? [{ label: '设为默认', onClick: () => setDefault.mutate({ body: { id } }) }] : []),
      ...(mayDelete ? [{ label: '删除', danger: true, onClick: () => drop(row) }] : []),
    ];
  };
  const add = (
    <Allowed code="amz:address:edit">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ kind: 'edit', address: undefined })}>
        添加地址
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="marketplace/addresses"
        title="发货地址"
        unit="个"
        endpoint={listAddresses}
        {...(mayExport ? { exportEndpoint: exportAddresses } : {})}
        row={AddressRow}
        filter={AddressFilter}
        options={{ storeId: choices }}
        tabs={{ field: 'status', counts: countAddresses }}
        columns={{
          isDefault: {
            render: (row) => (row.isDefault ? <Tag tone="done" title="默认" /> : null),
            text: (row) => (row.isDefault ? '默认' : ''),
          },
          site: {
            render: (row) => (row.marketplaceId ? <Country code={row.site} /> : <span className="text3">全部</span>),
            text: (row) => row.site,
          },
        }}
        head={
          <>
            <Allowed code="amz:address:import">
              <Button onClick={() => setOpen({ kind: 'import' })}>导入</Button>
            </Allowed>
            {add}
          </>
        }
        actions={actionsOf}
        {...(mayEdit
          ? {
              onOpen: (row: AddressRow) => {
                if (row.status === 'active') setOpen({ kind: 'edit', address: row });
              },
            }
          : {})}
        empty={
          <Empty
            title="还没有发货地址"
            text="创建发往亚马逊的货件时，从这里选择发货地；每个店铺和站点可以设一个默认地址。"
          >
            {add}
          </Empty>
        }
      />
      {open?.kind === 'edit' && <AddressDialog address={open.address} stores={choices} onClose={close} />}
      <ImportDialog<FileCheck>
        title="导入发货地址"
        open={open?.kind === 'import'}
        onClose={close}
        check={check}
        commit={commit}
        template={template}
        onDone={() => {
          for (const each of CHANGED.refreshes) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
        }}
        accept=".xlsx,.csv,.txt"
      />
    </>
  );
}
