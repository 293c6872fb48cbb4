import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { readClaimWindows, saveClaimWindows } from '../../contract/claim/calls.ts';
import type { ClaimWindow } from '../../contract/claim/claim.ts';
import { ADD } from '../../contract/fields.ts';
import { refreshClaims } from './refresh.ts';

interface Props {
  onClose: () => void;
}

const ARRIVALS = [
  { key: 'domesticDays', title: '境内到仓' },
  { key: 'abroadDays', title: '境外到仓' },
  { key: 'afterFirstDays', title: '首件到仓后' },
] as const;

const nameOf = (id: string): string => {
  const site = MARKETPLACES.find((one) => one.id === id);
  return site ? `${site.country} ${site.name}` : id;
};

/** 期限设置: days in which each marketplace takes claims, and in which shipments must arrive. */
export function WindowsDialog({ onClose }: Props) {
  const { data } = useCall(readClaimWindows, {}, { staleTime: 0 });
  return data ? <Loaded windows={data} onClose={onClose} /> : null;
}

function Loaded({ windows, onClose }: Props & { windows: readonly ClaimWindow[] }) {
  const disabled = !useAllowed(ADD);
  const [rows, setRows] = useState<readonly ClaimWindow[]>(windows);
  const send = useSend(saveClaimWindows, {
    refreshes: [readClaimWindows],
    onSuccess: async () => {
      notice.success('期限已保存');
      await refreshClaims();
      onClose();
    },
  });
  const put = (id: string, next: Partial<ClaimWindow>) =>
    setRows((old) => old.map((one) => (one.marketplaceId === id ? { ...one, ...next } : one)));
  return (
    <Modal
      title="期限设置"
      open
      width={640}
      okText={disabled ? '关闭' : '保存'}
      confirmLoading={send.isPending}
      onOk={() => (disabled ? onClose() : send.mutate({ body: { windows: [...rows] } }))}
      onCancel={onClose}
    >
      <p className="label">
        索赔从货件关闭日起算，默认 60
        天。到仓从货件创建日、同一计划首个货件到仓日起算，先到为准，逾期按弃货处理；留空为不限。各站点以 Seller Central
        为准。
      </p>
      <div className="line-table is-dense" style={{ maxHeight: 420, overflow: 'auto' }}>
        <table aria-label="期限设置">
          <thead>
            <tr>
              <th>站点</th>
              <th className="is-right">索赔（天）</th>
              {ARRIVALS.map(({ key, title }) => (
                <th key={key} className="is-right">
                  {title}（天）
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.marketplaceId}>
                <td>{nameOf(row.marketplaceId)}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${nameOf(row.marketplaceId)} 索赔期限`}
                    controls={false}
                    min={1}
                    max={730}
                    precision={0}
                    style={{ width: 88 }}
                    disabled={disabled}
                    value={row.days}
                    onChange={(value) => put(row.marketplaceId, { days: value ?? 60 })}
                  />
                </td>
                {ARRIVALS.map(({ key, title }) => (
                  <td key={key} className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${nameOf(row.marketplaceId)} ${title}`}
                      placeholder="不限"
                      controls={false}
                      min={1}
                      max={730}
                      precision={0}
                      style={{ width: 88 }}
                      disabled={disabled}
                      value={row[key] ?? null}
                      onChange={(value) => put(row.marketplaceId, { [key]: value })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
