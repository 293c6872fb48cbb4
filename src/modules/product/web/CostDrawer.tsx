import { Button, Modal } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { DayText, Money, Person, Picture, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { ALWAYS, type CostEntry, type CostRow, costHistory, countCosts, listCosts, removeCost } from '../contract.ts';
import { CostDialog } from './CostDialog.tsx';

function from(day: string) {
  return day === ALWAYS ? <span>一直有效</span> : <DayText day={day} />;
}

/** The costs of a SKU over time; an entry can be added from a day on, or taken out. */
export function CostDrawer({ row, onClose }: { row: CostRow | undefined; onClose: () => void }) {
  const [adding, setAdding] = useState(false);
  const sku = row?.sku ?? '';
  const { data, isError, error, refetch } = useCall(
    costHistory,
    { body: { sku } },
    { enabled: row !== undefined, keep: true },
  );
  const remove = useSend(removeCost, { refreshes: [costHistory, listCosts, countCosts] });
  const ask = (entry: CostEntry) =>
    Modal.confirm({
      title: `删除 ${sku} 自 ${entry.validFrom === ALWAYS ? '最初' : entry.validFrom} 起的成本 ${formatMoney(entry.unitCost, 'CNY')}`,
      content: '删除后该时段使用更早的成本；没有更早的成本则变为缺成本。相关利润会重新计算。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => remove.mutateAsync({ body: { sku, validFrom: entry.validFrom } }),
    });
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.product.name ?? ''}
      subtitle={sku}
      picture={<Picture src={row?.product.image} size={40} />}
      extra={
        <Allowed code="fin:cost:edit">
          <Button size="small" onClick={() => setAdding(true)}>
            新增成本
          </Button>
        </Allowed>
      }
    >
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="line-table is-dense">
          <table aria-label="成本记录">
            <thead>
              <tr>
                <th>生效日期</th>
                <th>截止日期</th>
                <th className="is-right">采购单价</th>
                <th>来源</th>
                <th>修改人</th>
                <th>修改时间</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {data?.map((entry) => (
                <tr key={entry.validFrom}>
                  <td>{from(entry.validFrom)}</td>
                  <td>{entry.validTo === null ? '至今' : <DayText day={entry.validTo} />}</td>
                  <td className="is-right">
                    <Money amount={entry.unitCost} currency="CNY" />
                  </td>
                  <td>{entry.origin}</td>
                  <td>
                    <Person name={entry.updatedBy} />
                  </td>
                  <td>
                    <When at={entry.updatedAt} />
                  </td>
                  <td>
                    <Allowed code="fin:cost:edit">
                      <button type="button" className="link" onClick={() => ask(entry)}>
                        删除
                      </button>
                    </Allowed>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data?.length === 0 && <div className="line-table-none">还没有成本记录</div>}
        </div>
      )}
      <CostDialog open={adding} sku={sku} onClose={() => setAdding(false)} />
    </DetailDrawer>
  );
}
