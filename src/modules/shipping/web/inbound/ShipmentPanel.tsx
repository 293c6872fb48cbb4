import { PrinterOutlined } from '@ant-design/icons';
import { Button, Dropdown, Input } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { blobOf } from '#kit/web/api/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { type InboundShipmentRow, type InboundView, inboundLabels, LabelPaper } from '../../contract/inbound.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { feeText, piecesOf } from './phase.ts';
import { trackingImport } from './tracking-import.ts';

export interface Tracking {
  parcels: { no: number; trackingNo: string }[];
  bills: { shipmentId: string; freightBill: string; lading: string }[];
}

interface Props {
  view: InboundView;
  busy: boolean;
  writes: boolean;
  onSave: (tracking: Tracking) => void;
  /** Somebody changed what is in a shipment. */
  onChanged: () => Promise<void>;
  /** A change that Amazon has not confirmed is given up. */
  onDrop: (shipmentId: string) => void;
}

const isPartner = ({ transport }: InboundShipmentRow) => transport?.solution === 'AMAZON_PARTNERED_CARRIER';
const isParcel = ({ transport }: InboundShipmentRow) => transport?.mode === 'GROUND_SMALL_PARCEL';

const PAPERS = Object.entries(LabelPaper.meta()?.states ?? {});

async function openLabels(id: string, shipmentId: string, paper: LabelPaper): Promise<void> {
  const blob = await blobOf(inboundLabels, { params: { id, shipmentId }, query: { paper } });
  const url = URL.createObjectURL(blob);
  window.open(url, '_blank', 'noopener');
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function Facts({ shipment }: { shipment: InboundShipmentRow }) {
  const { transport, window: slot } = shipment;
  return (
    <span className="text2">
      {transport
        ? `${isPartner(shipment) ? '亚马逊合作承运' : '自有承运'} ${transport.carrier}${
            transport.cost ? ` ${feeText(transport.cost)}` : ''
          }`
        : '承运未确认'}
      {slot && ` · 送达 ${slot.from.slice(0, 10)} 至 ${slot.to.slice(0, 10)}`}
    </span>
  );
}

/** Shipments with their labels; after they have left, with the numbers by which they are followed. */
export function ShipmentPanel({ view, busy, writes, onSave, onChanged, onDrop }: Props) {
  const [changing, setChanging] = useState<InboundShipmentRow>();
  const [parcels, setParcels] = useState<Readonly<Record<number, string>>>({});
  const [bills, setBills] = useState<Readonly<Record<string, string>>>({});
  const [paste, setPaste] = useState('');
  const [importing, setImporting] = useState(false);
  const own = view.shipments.filter((shipment) => !isPartner(shipment));
  const boxes = own
    .filter(isParcel)
    .flatMap((shipment) => shipment.boxes)
    .sort((a, b) => a.no - b.no);
  const numberOf = (no: number, saved: string) => parcels[no] ?? saved;
  const fill = () => {
    const numbers = paste.split(/[\s,;，；]+/).filter(Boolean);
    // Boxes that the list does not reach keep what they have.
    const filled = boxes.flatMap(({ no }, index) => (numbers[index] ? [[no, numbers[index]] as const] : []));
    setParcels((old) => ({ ...old, ...Object.fromEntries(filled) }));
  };
  const save = () =>
    onSave({
      parcels: boxes.map(({ no, trackingNo }) => ({ no, trackingNo: numberOf(no, trackingNo) })),
      bills: own
        .filter((shipment) => !isParcel(shipment))
        .map(({ shipmentId, freightBill, lading }) => ({
          shipmentId,
          freightBill: bills[shipmentId] ?? freightBill,
          lading,
        })),
    });
  return (
    <section className="inbound-panel">
      <h2>货件、标签与追踪</h2>
      {view.shipments.map((shipment) => (
        <div key={shipment.shipmentId} className="inbound-way">
          <div className="inbound-way-head">
            <span className="code">{shipment.shipmentNo}</span>
            <strong className="code">{shipment.center}</strong>
            <span className="text2 num">
              {shipment.boxes.length} 箱 · {formatInteger(piecesOf(shipment.items))} 件
            </span>
            <Facts shipment={shipment} />
            <span className="spring" />
            {writes && view.order.state === 'ready' && shipment.hasLabels && !shipment.changing && (
              <Button size="small" onClick={() => setChanging(shipment)}>
                修改数量
              </Button>
            )}
            {shipment.changing && <span className="text2">数量修改处理中</span>}
            {shipment.changing && writes && view.state === 'trouble' && (
              <Button size="small" onClick={() => onDrop(shipment.shipmentId)}>
                放弃修改
              </Button>
            )}
            <Dropdown
              trigger={['click']}
              disabled={!shipment.hasLabels}
              menu={{
                items: PAPERS.map(([key, { title }]) => ({
                  key,
                  label: title,
                  disabled: key === 'THERMAL' && !shipment.hasThermal,
                })),
                onClick: ({ key }) => void openLabels(view.order.id, shipment.shipmentId, key as LabelPaper),
              }}
            >
              <Button size="small" icon={<PrinterOutlined />} disabled={!shipment.hasLabels}>
                箱标签
              </Button>
            </Dropdown>
          </div>
          {isPartner(shipment) ? (
            <span className="text3">合作承运的追踪号由亚马逊提供</span>
          ) : isParcel(shipment) ? (
            <div className="inbound-parcels">
              {shipment.boxes.map(({ no, amazonBoxId, trackingNo }) => (
                <span key={no} className="inbound-parcel">
                  <span className="text2">
                    第 {no} 箱 <span className="code text3">{amazonBoxId}</span>
                  </span>
                  <Input
                    size="small"
                    aria-label={`第 ${no} 箱追踪号`}
                    maxLength={64}
                    disabled={!writes}
                    value={numberOf(no, trackingNo)}
                    onChange={(event) => setParcels((old) => ({ ...old, [no]: event.target.value }))}
                  />
                </span>
              ))}
            </div>
          ) : (
            <Input
              size="small"
              className="inbound-bill"
              aria-label={`${shipment.center} 运单号（PRO）`}
              placeholder="运单号（PRO）"
              maxLength={64}
              disabled={!writes}
              value={bills[shipment.shipmentId] ?? shipment.freightBill}
              onChange={(event) => setBills((old) => ({ ...old, [shipment.shipmentId]: event.target.value }))}
            />
          )}
        </div>
      ))}
      {writes && own.length > 0 && (
        <div className="inbound-act">
          {boxes.length > 1 && (
            <>
              <Input.TextArea
                aria-label="粘贴追踪号"
                placeholder="按箱号顺序粘贴追踪号，一行一个"
                autoSize={{ minRows: 1, maxRows: 4 }}
                value={paste}
                onChange={(event) => setPaste(event.target.value)}
              />
              <Button onClick={fill} disabled={paste.trim() === ''}>
                填入
              </Button>
            </>
          )}
          {boxes.length > 0 && <Button onClick={() => setImporting(true)}>导入追踪号</Button>}
          <span className="spring" />
          <Button type="primary" loading={busy} onClick={save}>
            保存追踪号
          </Button>
        </div>
      )}
      <ImportDialog<FileCheck>
        title="导入追踪号"
        open={importing}
        onClose={() => setImporting(false)}
        {...trackingImport(view.order.id)}
        onDone={() => {
          setParcels({});
          void onChanged();
        }}
        accept=".xlsx,.csv"
      />
      {changing && (
        <ChangeDialog
          orderId={view.order.id}
          shipment={changing}
          onDone={onChanged}
          onClose={() => setChanging(undefined)}
        />
      )}
    </section>
  );
}
