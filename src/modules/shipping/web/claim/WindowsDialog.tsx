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

const nameOf = (id: string): string => {
  const site = MARKETPLACES.find((one) => one.id === id);
  return site ? `${site.country} ${site.name}` : id;
};

/** 索赔期限: the days after closing in which each marketplace takes claims. */
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
      notice.success('索赔期限已保存');
      await refreshClaims();
      onClose();
    },
  });
  const put = (id: string, days: number) =>
    setRows((old) => old.map((one) => (one.marketplaceId === id ? { ...one, days } : one)));
  return (
    <Modal
      title="索赔期限"
      open
      width={400}
      okText={disabled ? '关闭' : '保存'}
      confirmLoading={send.isPending}
      onOk={() => (disabled ? onClose() : send.mutate({ body: { windows: [...rows] } }))}
      onCancel={onClose}
    >
      <p className="label">从货件关闭日起算。各站点期限以 Seller Central 为准，默认 60 天。</p>
      <div className="line-table is-dense" style={{ maxHeight: 420, overflow: 'auto' }}>
        <table aria-label="索赔期限">
          <thead>
            <tr>
              <th>站点</th>
              <th className="is-right">期限（天）</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.marketplaceId}>
                <td>{nameOf(row.marketplaceId)}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${nameOf(row.marketplaceId)} 期限`}
                    controls={false}
                    min={1}
                    max={730}
                    precision={0}
                    style={{ width: 88 }}
                    disabled={disabled}
                    value={row.days}
                    onChange={(value) => put(row.marketplaceId, value ?? 60)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
