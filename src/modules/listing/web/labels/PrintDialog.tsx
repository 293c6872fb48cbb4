import { Button, Checkbox, Input, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { MOST_LABELS, type UnitLayout } from '#kit/contract/unit-layout.ts';
import { cacheKey, download, queryClient, useCall } from '#kit/web/api/index.ts';
import { ProductCell, StoreName } from '#kit/web/cells/index.ts';
import { LayoutBar } from '#kit/web/labels/LayoutBar.tsx';
import { Empty } from '#kit/web/states/index.ts';
import { type LabelGood, labelGoods, listLabelPrints, MOST_LISTINGS, printLabels } from '../../contract/labels.ts';
import { parsed } from './pasted.ts';
import './labels.css';

interface Props {
  /** Listings that are chosen already; without them SKUs are pasted. */
  ids?: readonly string[];
  onClose: () => void;
}

const sameSku = (a: LabelGood, b: LabelGood) => a.fnsku !== null && a.product.code === b.product.code;

/** 打印标签: so many of each listing, on sheets or on a roll; pieces with the maker's barcode only where they are meant. */
export function PrintDialog({ ids = [], onClose }: Props) {
  const [text, setText] = useState('');
  const [pasted, setPasted] = useState<ReadonlyMap<string, number>>(new Map());
  const [problem, setProblem] = useState('');
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const [paper, setPaper] = useState<{ layout: UnitLayout; used: number }>({ layout: 'GRID_24', used: 0 });
  const [confirmed, setConfirmed] = useState(false);
  const [busy, setBusy] = useState(false);
  const skus = [...pasted.keys()];
  const { data = [], isFetching } = useCall(
    labelGoods,
    { body: { ids: ids.slice(0, MOST_LISTINGS), skus } },
    { enabled: ids.length + skus.length > 0, staleTime: 0 },
  );
  // Sites share an FNSKU and a pile of pieces: what was pasted of a SKU is meant once, for the first of them.
  const firsts = new Set(
    data.filter((good, at) => at === data.findIndex((one) => sameSku(one, good))).map(({ id }) => id),
  );
  const copiesOf = (good: LabelGood) => {
    if (good.fnsku === null) return 0;
    if (ids.length > 0) return counts[good.id] ?? 1;
    return counts[good.id] ?? (firsts.has(good.id) ? (pasted.get(good.product.code) ?? 0) : 0);
  };
  const chosen = data.filter((good) => copiesOf(good) > 0);
  const total = chosen.reduce((sum, good) => sum + copiesOf(good), 0);
  const makers = chosen.filter((good) => good.makersCode);
  const missing = isFetching ? [] : skus.filter((sku) => !data.some((good) => good.product.code === sku));
  const read = () => {
    const { rows, wrong } = parsed(text);
    if (wrong.length > 0)
      return setProblem(`第 ${wrong.slice(0, 10).join('、')} 行不是「平台SKU 数量」，数量为 1–10000`);
    if (rows.size > MOST_LISTINGS) return setProblem(`一次最多 ${MOST_LISTINGS} 个商品`);
    setProblem('');
    setPasted(rows);
  };
  const print = async () => {
    setBusy(true);
    try {
      const items = chosen.map((good) => ({ id: good.id, copies: copiesOf(good) }));
      await download(printLabels, { body: { items, ...paper, confirmed } });
      await queryClient.invalidateQueries({ queryKey: cacheKey(listLabelPrints) });
      onClose();
    } catch {
      // The download has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title="打印FNSKU标签"
      open
      width={860}
      okText="打印"
      okButtonProps={{ disabled: total === 0 || total > MOST_LABELS || (makers.length > 0 && !confirmed) }}
      confirmLoading={busy}
      onOk={() => void print()}
      onCancel={onClose}
    >
      {ids.length === 0 && (
        <div className="label-paste">
          <Input.TextArea
            aria-label="粘贴平台SKU和数量"
            rows={4}
            placeholder={'每行一个平台SKU和数量，可从Excel直接粘贴\nMUG-RED-01\t120'}
            status={problem ? 'error' : ''}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button onClick={read} disabled={text.trim() === ''}>
            带入
          </Button>
        </div>
      )}
      {problem && <p className="danger">{problem}</p>}
      {missing.length > 0 && <p className="warning">没有找到平台SKU：{missing.slice(0, 10).join('、')}</p>}
      <LayoutBar {...paper} total={total} onChange={setPaper} />
      {data.length === 0 ? (
        <Empty title="还没有商品" text="粘贴平台SKU和数量，点「带入」。" />
      ) : (
        <div className="line-table is-picture label-goods">
          <table aria-label="标签商品">
            <thead>
              <tr>
                <th>商品</th>
                <th>店铺</th>
                <th>FNSKU</th>
                <th className="is-right">打印数量</th>
              </tr>
            </thead>
            <tbody>
              {data.map((good) => (
                <tr key={good.id}>
                  <td>
                    <ProductCell product={good.product} />
                  </td>
                  <td>
                    <StoreName store={good.store} />
                  </td>
                  <td className="code">
                    {good.fnsku ?? <span className="text3">没有 FNSKU</span>}
                    {good.makersCode && <span className="warning"> 制造商条码</span>}
                  </td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${good.product.code} 打印数量`}
                      min={0}
                      max={MOST_LABELS}
                      precision={0}
                      controls={false}
                      disabled={good.fnsku === null}
                      style={{ width: 96 }}
                      value={copiesOf(good)}
                      onChange={(count) => setCounts((old) => ({ ...old, [good.id]: count ?? 0 }))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {makers.length > 0 && (
        <Checkbox checked={confirmed} onChange={(event) => setConfirmed(event.target.checked)}>
          {makers.length} 个商品使用制造商条码，确认仍要打印
        </Checkbox>
      )}
    </Modal>
  );
}
