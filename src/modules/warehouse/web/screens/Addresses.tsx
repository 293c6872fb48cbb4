import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { AddressFilter, AddressForm, AddressRow, listAddresses, saveAddress } from '../../contract/base.ts';

/** 仓库地址: where warehouses are, who owns the place and until when it is rented. */
export default function Addresses() {
  const [editing, setEditing] = useState<AddressRow | 'new'>();
  const row = editing === 'new' ? undefined : editing;
  const form = useForm(AddressForm, {});
  const mayEdit = useAllowed('erp:wh:base:edit');
  const { reset } = form;
  useEffect(() => {
    if (editing === undefined) return;
    const { name, code, detail, postalCode, owner, phone, leaseUntil } = row ?? {};
    reset({ name, code, detail, postalCode, owner, phone, leaseUntil: leaseUntil ?? undefined });
  }, [editing, row, reset]);
  return (
    <>
      <ListScreen
        name="warehouse/addresses"
        title="仓库地址"
        unit="个地址"
        endpoint={listAddresses}
        row={AddressRow}
        filter={AddressFilter}
        head={
          <Allowed code="erp:wh:base:edit">
            <Button type="primary" onClick={() => setEditing('new')}>
              新增地址
            </Button>
          </Allowed>
        }
        {...(mayEdit
          ? { actions: (one: AddressRow) => [{ label: '编辑', onClick: () => setEditing(one), edits: true }] }
          : {})}
        empty={<Empty title="还没有地址" text="登记仓库的地址、业主和租约到期日，到期前 30 天会提醒。" />}
      />
      <FormDialog
        title={row ? '编辑仓库地址' : '新增仓库地址'}
        open={editing !== undefined}
        form={form}
        fields={{ detail: { span: 6 }, leaseUntil: { help: '到期前 30 天提醒' } }}
        onSubmit={async (values) => {
          const known = row ? { id: row.id, version: row.version } : {};
          await call(saveAddress, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
          await queryClient.invalidateQueries({ queryKey: cacheKey(listAddresses) });
        }}
        onClose={() => setEditing(undefined)}
      />
    </>
  );
}
