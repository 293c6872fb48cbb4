import { Button } from 'antd';
import { useState } from 'react';
import type { Box } from '#kit/contract/box.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { call, useSend, uuid } from '#kit/web/api/index.ts';
import { BoxTable } from '#kit/web/boxes/BoxTable.tsx';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import type { CheckedBox } from '../../contract/box/box.ts';
import { addBox } from '../../contract/box/calls.ts';
import { BOX } from '../../contract/fields.ts';
import type { ShipLineRow, ShipRow } from '../../contract/order.ts';
import { putShipBoxes } from '../../contract/order-calls.ts';
import { refreshShip } from '../choices.ts';
import { BoxList } from './BoxList.tsx';
import { boxImport } from './box-import.ts';
import { CartonDialog, UnitDialog } from './LabelsDialog.tsx';
import { SuggestDialog } from './SuggestDialog.tsx';
import { TemplatesDialog } from './TemplatesDialog.tsx';

interface Props {
  order: ShipRow;
  lines: readonly ShipLineRow[];
  boxes: readonly CheckedBox[];
}

/** A table with a column for each SKU is readable up to so many. */
const MOST_COLUMNS = 12;

/** The table knows neither boxes that are shut nor numbers with a gap between them. */
const asTable = (lines: readonly ShipLineRow[], boxes: readonly CheckedBox[]) =>
  lines.length <= MOST_COLUMNS && boxes.every((box, index) => box.no === index + 1 && !box.closed);

/** 装箱 of an order: as a table while it is small, else box by box; cartons, proposals and labels above. */
export function BoxesTab({ order, lines, boxes }: Props) {
  const mayBox = useAllowed(BOX);
  const writes = mayBox && order.state === 'packing';
  const [open, setOpen] = useState<'templates' | 'suggest' | 'units' | 'cartons' | 'import' | number>();
  const close = () => setOpen(undefined);
  const saving = useSend(putShipBoxes, {
    // Told when the order of now is here: whoever reads that all is saved may finish it, with its new version.
    onSuccess: async ({ message }) => {
      await refreshShip();
      notice.success(message);
    },
  });
  const save = (next: Box[]) => saving.mutateAsync({ body: { id: order.id, version: order.version, boxes: next } });
  const add = async () => {
    try {
      notice.success((await call(addBox, { body: { id: order.id, clientId: uuid() } }, {})).message);
      await refreshShip();
    } catch {
      // The call has said why.
    }
  };
  const left = lines.reduce((sum, line) => sum + line.pickedQty - line.boxedQty, 0);
  const table = writes && asTable(lines, boxes);
  const none = order.state === 'packing' ? '还没有装箱' : '完成配货后填写装箱数据';
  return (
    <>
      <div className="box-bar">
        {writes && !table && (
          <>
            <span>
              未装 <b className="num">{formatInteger(left)}</b> 件
            </span>
            <Button size="small" disabled={left === 0} onClick={() => void add()}>
              新增箱
            </Button>
          </>
        )}
        <span className="spring" />
        {writes && (
          <>
            <Button size="small" onClick={() => setOpen('templates')}>
              箱型
            </Button>
            <Button size="small" disabled={left === 0} onClick={() => setOpen('suggest')}>
              装箱建议
            </Button>
            <Button size="small" onClick={() => setOpen('import')}>
              导入
            </Button>
          </>
        )}
        <Button size="small" disabled={lines.length === 0} onClick={() => setOpen('units')}>
          FNSKU标签
        </Button>
        {mayBox && (
          <Button size="small" disabled={boxes.length === 0} onClick={() => setOpen('cartons')}>
            箱唛
          </Button>
        )}
      </div>
      {table ? (
        <>
          <BoxTable
            lines={lines.map((line) => ({
              id: line.id,
              code: line.msku,
              name: line.product.name,
              qty: line.pickedQty,
            }))}
            saved={boxes}
            version={order.version}
            writes
            none={none}
            onSave={save}
          />
          {boxes.flatMap(({ no, warnings }) =>
            warnings.map(({ level, text }) => (
              <p key={`${no} ${text}`} className={`ship-note ${level === 'LIMIT' ? 'danger' : 'warning'}`}>
                {`第 ${no} 箱${text}`}
              </p>
            )),
          )}
        </>
      ) : (
        <BoxList id={order.id} boxes={boxes} lines={lines} writes={writes} none={none} onLabel={setOpen} />
      )}
      {open === 'templates' && <TemplatesDialog onClose={close} />}
      {open === 'suggest' && (
        <SuggestDialog
          id={order.id}
          cases={order.packType === 'CASE'}
          onClose={close}
          onTake={(more) => save([...boxes.filter((box) => box.items.length > 0), ...more])}
        />
      )}
      <ImportDialog<FileCheck>
        title="导入装箱表"
        open={open === 'import'}
        onClose={close}
        {...boxImport(order.id, order.version)}
        onDone={() => void refreshShip()}
        accept=".xlsx"
      />
      {open === 'units' && <UnitDialog id={order.id} lines={lines} onClose={close} />}
      {(open === 'cartons' || typeof open === 'number') && (
        <CartonDialog id={order.id} boxNo={typeof open === 'number' ? open : undefined} onClose={close} />
      )}
    </>
  );
}
