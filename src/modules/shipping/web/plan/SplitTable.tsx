import { DeleteOutlined } from '@ant-design/icons';
import { InputNumber, Select } from 'antd';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { planItem } from '../../contract/plan-submit.ts';
import { WAYS } from './choices.ts';
import type { Part } from './split.ts';

interface Props {
  item: Reply<typeof planItem>;
  parts: readonly Part[];
  senders: readonly { value: string; label: string }[];
  onPut: (key: number, next: Partial<Part>) => void;
  onRemove: (key: number) => void;
}

/** The parts of an item; sites that share a stock can be given a ratio instead of pieces. */
export function SplitTable({ item, parts, senders, onPut, onRemove }: Props) {
  const shared = item.sites.filter((site) => site.shared).length > 1;
  const sites = item.sites.map(({ marketplaceId, country }) => ({ value: marketplaceId, label: country }));
  const mayShare = (part: Part) => item.sites.some((site) => site.shared && site.marketplaceId === part.marketplaceId);
  return (
    <div className="line-table is-dense">
      <table aria-label="拆分明细">
        <thead>
          <tr>
            <th>站点</th>
            <th>发货仓</th>
            <th>运输方式</th>
            {shared && <th className="is-right">比例 0–10</th>}
            <th className="is-right">数量</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <tr key={part.key}>
              <td>
                <Select
                  size="small"
                  aria-label={`第${index + 1}行 站点`}
                  style={{ width: 100 }}
                  value={part.marketplaceId}
                  options={sites}
                  onChange={(marketplaceId) => onPut(part.key, { marketplaceId, ratio: null })}
                />
              </td>
              <td>
                <Select
                  size="small"
                  aria-label={`第${index + 1}行 发货仓`}
                  style={{ width: 160 }}
                  value={part.warehouseId}
                  options={[...senders]}
                  labelRender={({ label }) => label ?? '…'}
                  onChange={(warehouseId) => onPut(part.key, { warehouseId })}
                />
              </td>
              <td>
                <Select
                  size="small"
                  aria-label={`第${index + 1}行 运输方式`}
                  style={{ width: 100 }}
                  value={part.transport}
                  options={WAYS}
                  onChange={(transport) => onPut(part.key, { transport })}
                />
              </td>
              {shared && (
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`第${index + 1}行 比例`}
                    controls={false}
                    min={0}
                    max={10}
                    precision={0}
                    style={{ width: 72 }}
                    disabled={!mayShare(part)}
                    value={part.ratio}
                    onChange={(ratio) => onPut(part.key, { ratio })}
                  />
                </td>
              )}
              <td className="is-right">
                <InputNumber
                  size="small"
                  aria-label={`第${index + 1}行 数量`}
                  controls={false}
                  min={0}
                  precision={0}
                  style={{ width: 96 }}
                  value={part.qty}
                  onChange={(qty) => onPut(part.key, { qty, ratio: null })}
                />
              </td>
              <td>
                <button
                  type="button"
                  className="icon-button is-small"
                  aria-label={`删除第${index + 1}行`}
                  disabled={parts.length === 1}
                  onClick={() => onRemove(part.key)}
                >
                  <DeleteOutlined />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
