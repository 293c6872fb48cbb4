import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatPercent } from '#kit/contract/format.ts';
import { cacheKey, call, queryClient, useCall, useSend, uuid } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { RowActions } from '#kit/web/grid/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import {
  CUSTOMS_EDIT,
  deleteDeclaredRate,
  listDeclared,
  listDeclaredRates,
  RateForm,
  saveDeclaredRate,
} from '../../contract/customs-value.ts';
import { useProductOptions } from '../options.ts';

type Rate = Reply<typeof listDeclaredRates>[number];
const REFRESHES = [listDeclaredRates, listDeclared];

function RateDialog({ rate, onClose }: { rate: Rate | 'new' | undefined; onClose: () => void }) {
  const form = useForm(RateForm, {});
  const { reset } = form;
  const { categories } = useProductOptions();
  useEffect(() => {
    if (rate) reset(rate === 'new' ? { country: '', categoryId: null } : { ...rate });
  }, [rate, reset]);
  const known = rate === 'new' ? {} : { id: rate?.id, version: rate?.version };
  return (
    <FormDialog
      title={rate === 'new' ? '新增申报比例' : '修改申报比例'}
      open={rate !== undefined}
      form={form}
      fields={{
        categoryId: { ...(categories ? { options: categories } : {}), placeholder: '全部品类' },
        rate: { placeholder: '30', help: '售价的百分之几' },
      }}
      onSubmit={async (values) => {
        await call(saveDeclaredRate, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(REFRESHES.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

/** 申报比例: which share of the price is declared, by country and category; the nearest one counts. */
export function RatesDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [rate, setRate] = useState<Rate | 'new'>();
  const may = useAllowed(CUSTOMS_EDIT);
  const rates = useCall(listDeclaredRates, { body: {} }, { enabled: open });
  const remove = useSend(deleteDeclaredRate, { refreshes: REFRESHES });
  const ask = (one: Rate) =>
    Modal.confirm({
      title: '删除申报比例',
      content: '删除后按下一个适用的比例计算；没有时申报金额为空。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => remove.mutateAsync({ body: { id: one.id } }),
    });
  return (
    <DetailDrawer
      open={open}
      onClose={onClose}
      title="申报比例"
      subtitle="先看品类（二级、一级、全部），再看目的国"
      extra={
        may && (
          <Button size="small" onClick={() => setRate('new')}>
            新增比例
          </Button>
        )
      }
    >
      <div className="line-table is-dense">
        <table aria-label="申报比例">
          <thead>
            <tr>
              <th>品类</th>
              <th>目的国</th>
              <th className="is-right">申报比例</th>
              <th>修改人</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {rates.data?.map((one) => (
              <tr key={one.id}>
                <td>{one.category ?? '全部品类'}</td>
                <td>{one.country || '全部国家'}</td>
                <td className="is-right num">{formatPercent(one.rate)}</td>
                <td>{one.updatedBy}</td>
                <td>
                  {may && (
                    <RowActions
                      actions={[
                        { label: '修改', onClick: () => setRate(one) },
                        { label: '删除', danger: true, onClick: () => ask(one) },
                      ]}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rates.data?.length === 0 && <div className="line-table-none">还没有申报比例</div>}
      </div>
      <RateDialog rate={rate} onClose={() => setRate(undefined)} />
    </DetailDrawer>
  );
}
