import { Checkbox } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { WaitingRow } from '../../contract/self/rows.ts';
import { buildSelf } from '../../contract/self/waiting.ts';
import { toOptions } from '../choices.ts';
import { groupsOf, recipientOf } from './groups.ts';
import { channelOptions, refreshSelf, sayBatch, useSelfChoices } from './shared.ts';

const Form = buildSelf.body.pick({ warehouseId: true, channelId: true });

/** 建单: one document for each order; those that seem to go to one recipient may go in one parcel. */
export function BuildDialog({ rows, onClose }: { rows: readonly WaitingRow[]; onClose: () => void }) {
  const choices = useSelfChoices();
  const own = choices?.warehouses.filter((one) => one.mine);
  const form = useForm(Form, {});
  const [merged, setMerged] = useState<readonly string[]>([]);
  const together = [...Map.groupBy(rows, recipientOf)].filter(([, mine]) => mine.length > 1);
  const groups = groupsOf(rows, new Set(merged));
  return (
    <FormDialog
      title={`建自发货单 · ${rows.length} 个订单`}
      open
      form={form}
      okText={`建 ${groups.length} 张`}
      fields={{
        warehouseId: { options: toOptions(own) },
        channelId: { options: channelOptions(choices), placeholder: '可不选' },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { ...values, groups: groups.map((mine) => ({ orders: mine.map((row) => row.id) })) };
        sayBatch(await call(buildSelf, { body }, { quiet: true }));
        await refreshSelf();
      }}
    >
      {together.length > 0 && (
        <>
          <p className="label">以下订单同店铺，收件国、州和邮编前缀一致，核对收件人相同后可合并为一单：</p>
          <Checkbox.Group value={[...merged]} onChange={(next) => setMerged(next as string[])}>
            {together.map(([key, mine]) => (
              <Checkbox key={key} value={key}>
                {mine.map((row) => row.order).join('、')}
              </Checkbox>
            ))}
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}
