import { Checkbox, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countMatches, listMatches, type MatchRow } from '../contract/match.ts';
import { type Inherit, inheritMatches, previewInherit } from '../contract/match-suggest.ts';

const WAYS = [
  { value: 'msku', label: '同一店铺授权的同一MSKU' },
  { value: 'asin', label: '同一ASIN' },
];

/** 继承到其他站点: what the ticked listings stand for goes to the same MSKU or ASIN elsewhere; shown before it is done. */
export function InheritDialog({ rows, onClose }: { rows: readonly MatchRow[] | undefined; onClose: () => void }) {
  const [by, setBy] = useState<Inherit['by']>(['msku']);
  const [replace, setReplace] = useState(false);
  useEffect(() => {
    if (rows) setReplace(rows.some((row) => row.state === 'conflict'));
  }, [rows]);
  const listings = (rows ?? []).map(({ accountId, marketplaceId, msku }) => ({ accountId, marketplaceId, msku }));
  const body = { listings, by, replace };
  const plan = useCall(previewInherit, { body }, { enabled: rows !== undefined && by.length > 0, keep: true });
  const send = useSend(inheritMatches, {
    refreshes: [listMatches, countMatches],
    onSuccess: ({ paired }) => {
      notice.success(`已继承到 ${paired} 个商品`);
      onClose();
    },
  });
  const found = by.length > 0 ? plan.data : undefined;
  return (
    <Modal
      title={`继承到其他站点：${listings.length} 个商品`}
      open={rows !== undefined}
      width={640}
      okText={`继承${found ? ` ${found.paired} 个` : ''}`}
      okButtonProps={{ disabled: !found || found.paired === 0 }}
      confirmLoading={send.isPending}
      onOk={() => send.mutate({ body })}
      onCancel={onClose}
    >
      <div className="import-kinds">
        <Checkbox.Group options={WAYS} value={by} onChange={(ways) => setBy(ways as Inherit['by'])} />
        <Checkbox checked={replace} onChange={(event) => setReplace(event.target.checked)}>
          覆盖配对不同的站点（从今天起）
        </Checkbox>
      </div>
      <div className="line-table is-dense">
        <table aria-label="将继承的商品">
          <thead>
            <tr>
              <th>MSKU</th>
              <th>店铺-站点</th>
              <th>本地SKU×数量</th>
            </tr>
          </thead>
          <tbody>
            {found?.sample.map((one) => (
              <tr key={`${one.store}${one.country}${one.msku}`}>
                <td className="code">{one.msku}</td>
                <td>
                  {one.store} {one.country}
                </td>
                <td className="code">{one.partsText}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {found?.paired === 0 && (
          <div className="line-table-none">其他站点没有可以继承的商品；其他店铺授权的商品按同一ASIN继承</div>
        )}
      </div>
      {found && found.different > 0 && (
        <p className="label">另有 {found.different} 个商品已配对为其他产品，保持不变。</p>
      )}
    </Modal>
  );
}
