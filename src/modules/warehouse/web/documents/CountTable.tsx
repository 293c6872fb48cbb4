import { Button, Checkbox, InputNumber } from 'antd';
import { useRef, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useSend, uuid } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { COST, type LineRow } from '../../contract/documents/fields.ts';
import { stocktakeCalls } from '../../contract/documents/stocktake.ts';
import { type Head, stocktakeWeb } from './kinds.ts';
import { LinesImport } from './LinesImport.tsx';
import { StockPicker } from './StockPicker.tsx';

interface Entered {
  counted?: number | null;
  skipped?: boolean;
  unitCost?: string | null;
}

interface Props {
  head: Head;
  lines: readonly LineRow[];
}

/** A row of a sheet as an entry: of the line for its product, lot and place, else of a line that it opens. */
function countOf(read: LineRow, lines: readonly LineRow[]) {
  const same = lines.filter(
    (line) => line.productId === read.productId && (read.lotNo === '' || line.lotNo === read.lotNo),
  );
  const place =
    same.find((line) => line.locationId === read.locationId) ?? (read.locationId === null ? same[0] : undefined);
  const target = place ? { lineId: place.id } : { productId: read.productId, locationId: read.locationId };
  return { ...target, counted: read.countedQty, skipped: false, ...(read.reason ? { reason: read.reason } : {}) };
}

/** The sheet of a count while it is filled in, the first time or again. */
export function CountTable({ head, lines }: Props) {
  const again = head.state === 'recounting';
  const mayCost = useAllowed(COST);
  const [entered, setEntered] = useState<Record<string, Entered>>({});
  const [importing, setImporting] = useState(false);
  const clientId = useRef(uuid());
  useDirty(Object.keys(entered).length > 0);
  const refreshes = [stocktakeCalls.data, stocktakeCalls.list];
  const onSuccess = (reply: { message: string }) => {
    clientId.current = uuid();
    setEntered({});
    notice.success(reply.message);
  };
  const count = useSend(stocktakeCalls.count, { refreshes, onSuccess });
  const recount = useSend(stocktakeCalls.recount, { refreshes, onSuccess });
  const rows = again ? lines.filter((line) => line.reason.startsWith('需复盘')) : lines;
  const put = (id: string, next: Entered) => setEntered((old) => ({ ...old, [id]: { ...old[id], ...next } }));
  const store = () => {
    const list = Object.entries(entered).map(([lineId, one]) => {
      const before = lines.find((line) => line.id === lineId);
      const counted = one.counted === undefined ? (again ? before?.recountQty : before?.countedQty) : one.counted;
      return {
        lineId,
        counted: counted ?? null,
        skipped: one.skipped ?? (one.counted === undefined ? (before?.skipped ?? false) : false),
        ...(one.unitCost ? { unitCost: one.unitCost } : {}),
      };
    });
    (again ? recount : count).mutate({ body: { id: head.id, clientId: clientId.current, lines: list } });
  };
  const piecesOf = (line: LineRow) => entered[line.id]?.counted ?? (again ? line.recountQty : line.countedQty);
  const open = rows.filter((line) => piecesOf(line) === null && !line.skipped).length;
  return (
    <>
      <div className="count-bar">
        <span>
          {again ? '待复盘' : '未盘'} <b className="num">{formatInteger(open)}</b> / {formatInteger(rows.length)} 行
        </span>
        <span className="spring" />
        {!again && (
          <StockPicker
            warehouseId={head.warehouseId}
            placeholder="盘到表外产品"
            onPick={(choice) =>
              count.mutate({ body: { id: head.id, lines: [{ productId: choice.id, counted: null, skipped: false }] } })
            }
          />
        )}
        {!again && (
          <Button size="small" onClick={() => setImporting(true)}>
            导入盘点数
          </Button>
        )}
        <Button
          type="primary"
          size="small"
          disabled={Object.keys(entered).length === 0}
          loading={count.isPending || recount.isPending}
          onClick={store}
        >
          保存录入
        </Button>
      </div>
      <div className="line-table is-picture">
        <table aria-label="盘点录入">
          <thead>
            <tr>
              <th>产品</th>
              <th>库位</th>
              <th>批次</th>
              {!head.blind && <th className="is-right">账面</th>}
              {again && <th className="is-right">初盘</th>}
              <th className="is-right">{again ? '复盘数' : '盘点数'}</th>
              {!head.blind && <th className="is-right">差异</th>}
              {!again && <th>未盘</th>}
              {!again && mayCost && <th className="is-right">盘盈单价（CNY）</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((line) => {
              const value = piecesOf(line);
              const skipped = entered[line.id]?.skipped ?? line.skipped;
              const diff = value === null || value === undefined ? null : value - (line.bookQty ?? 0);
              return (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td>{line.location ?? '—'}</td>
                  <td>{line.lotNo || '—'}</td>
                  {!head.blind && <td className="is-right num">{formatInteger(line.bookQty ?? 0)}</td>}
                  {again && <td className="is-right num">{formatInteger(line.countedQty ?? 0)}</td>}
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 盘点数`}
                      min={0}
                      precision={0}
                      controls={false}
                      disabled={skipped}
                      style={{ width: 96 }}
                      value={value ?? null}
                      onChange={(counted) => put(line.id, { counted })}
                    />
                  </td>
                  {!head.blind && (
                    <td
                      className={`is-right num ${diff === null || diff === 0 ? 'text3' : diff > 0 ? 'success' : 'danger'}`}
                    >
                      {diff === null ? '—' : diff > 0 ? `+${formatInteger(diff)}` : formatInteger(diff)}
                    </td>
                  )}
                  {!again && (
                    <td>
                      <Checkbox
                        aria-label={`${line.product.code} 未盘`}
                        checked={skipped}
                        onChange={({ target }) => put(line.id, { skipped: target.checked })}
                      />
                    </td>
                  )}
                  {!again && mayCost && (
                    <td className="is-right">
                      <InputNumber<string>
                        size="small"
                        aria-label={`${line.product.code} 盘盈单价`}
                        stringMode
                        min="0"
                        controls={false}
                        style={{ width: 96 }}
                        value={entered[line.id]?.unitCost ?? line.unitCost ?? null}
                        onChange={(unitCost) => put(line.id, { unitCost })}
                      />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
        {rows.length === 0 && <div className="line-table-none">没有需要录入的行</div>}
      </div>
      {importing && (
        <LinesImport
          kind={stocktakeWeb}
          warehouseId={head.warehouseId}
          onClose={() => setImporting(false)}
          onLines={(read) => count.mutate({ body: { id: head.id, lines: read.map((line) => countOf(line, lines)) } })}
        />
      )}
    </>
  );
}
