import { Button, DatePicker, Input, InputNumber } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  type CustomerRow,
  CustomerState,
  countCustomers,
  listCustomers,
  planKinds,
  saveCustomer,
} from '../../contract/operator.ts';
import { SsoDomains } from './SsoDomains.tsx';

interface Terms {
  planName: string;
  expireDate: string | null;
  remark: string;
  limits: Record<string, number | null>;
}

function termsOf(row: CustomerRow): Terms {
  return {
    planName: row.planName ?? '',
    expireDate: row.expireDate,
    remark: row.remark ?? '',
    // What no plan limits is told, and not sent back.
    limits: Object.fromEntries(row.usage.flatMap(({ key, limit }) => (limit === null ? [] : [[key, limit]]))),
  };
}

/** One customer: how much there is of what the plan counts, and the terms that the operator sets. */
export function CustomerDrawer({ row, onClose }: { row: CustomerRow | undefined; onClose: () => void }) {
  const [terms, setTerms] = useState<Terms>();
  useEffect(() => setTerms(row && termsOf(row)), [row]);
  const kinds = useCall(planKinds, {}, { enabled: row !== undefined });
  const mayEdit = useAllowed('sys:customer:edit');
  const save = useSend(saveCustomer, {
    refreshes: [listCustomers, countCustomers],
    onSuccess: () => {
      notice.success('客户已保存');
      onClose();
    },
  });
  return (
    <ObjectDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.name ?? ''}
      subtitle={row?.ownerAccount}
      extra={row && <State value={row.state} states={CustomerState.meta()?.states} />}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          {mayEdit && (
            <Button
              type="primary"
              loading={save.isPending}
              onClick={() => row && terms && save.mutate({ params: { id: row.id }, body: terms })}
            >
              保存
            </Button>
          )}
        </>
      }
    >
      {row && terms && (
        <>
          <div className="drawer-section form" style={{ gridTemplateColumns: '1fr 1fr' }}>
            <div className="field">
              <label className="field-label" htmlFor="customer-plan">
                套餐
              </label>
              <Input
                id="customer-plan"
                maxLength={50}
                placeholder="未设置"
                value={terms.planName}
                onChange={(event) => setTerms({ ...terms, planName: event.target.value })}
              />
              <div className="field-help" />
            </div>
            <div className="field">
              <label className="field-label" htmlFor="customer-expire">
                到期
              </label>
              <DatePicker
                id="customer-expire"
                style={{ width: '100%' }}
                placeholder="长期"
                value={terms.expireDate ? dayjs(terms.expireDate) : null}
                onChange={(day) => setTerms({ ...terms, expireDate: day ? day.format('YYYY-MM-DD') : null })}
              />
              <div className="field-help" />
            </div>
            {kinds.data?.map(({ key, title }) => {
              const used = row.usage.find((usage) => usage.key === key)?.count ?? 0;
              return (
                <div className="field" key={key}>
                  <label className="field-label" htmlFor={`customer-${key}`}>
                    {title}上限
                  </label>
                  <InputNumber
                    id={`customer-${key}`}
                    style={{ width: '100%' }}
                    min={0}
                    max={100_000_000}
                    precision={0}
                    controls={false}
                    placeholder="不限"
                    value={terms.limits[key] ?? null}
                    onChange={(next) => setTerms({ ...terms, limits: { ...terms.limits, [key]: next } })}
                  />
                  <div className="field-help">已用 {used}</div>
                </div>
              );
            })}
            <div className="field" style={{ gridColumn: 'span 2' }}>
              <label className="field-label" htmlFor="customer-remark">
                备注（客户看不到）
              </label>
              <Input.TextArea
                id="customer-remark"
                maxLength={200}
                autoSize={{ minRows: 2, maxRows: 5 }}
                value={terms.remark}
                onChange={(event) => setTerms({ ...terms, remark: event.target.value })}
              />
            </div>
          </div>
          <SsoDomains companyId={row.id} />
        </>
      )}
    </ObjectDrawer>
  );
}
