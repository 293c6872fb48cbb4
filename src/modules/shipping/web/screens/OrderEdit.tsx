import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { useStore } from '#kit/web/document/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ShipInput, shipOrder } from '../../contract/order.ts';
import { findShipListings, saveShipOrder, shipOrderDetail, shipSteps } from '../../contract/order-calls.ts';
import { type FbaItemRow, type FbaShipmentRow, fbaShipmentDetail } from '../../contract/shipment.ts';
import { refreshShip, toOptions, useShipChoices } from '../choices.ts';
import { type Draft, newDraft, obstacle, sent } from '../order/draft.ts';
import { LineEditor } from '../order/LineEditor.tsx';
import { ListingPicker } from '../order/ListingPicker.tsx';
import { PasteDialog } from '../order/PasteDialog.tsx';
import '../shipping.css';

const HeadForm = ShipInput.omit({ id: true, version: true, lines: true });
/** What an order of a shipment of Amazon's begins with; where it leaves from is still to be chosen. */
function inputOf({ shipment, items }: { shipment: FbaShipmentRow; items: FbaItemRow[] }): Partial<ShipInput> {
  return {
    authid: shipment.accountId,
    marketplaceId: shipment.marketplaceId,
    shipmentNo: shipment.shipmentNo,
    packType: 'MIXED',
    transport: 'SEA',
    stockMode: 'LOCAL',
    lines: items.filter((item) => item.shipped > 0).map((item) => ({ ...newDraft(item.msku), qty: item.shipped })),
  };
}

const EDITABLE = ['draft', 'rejected'];

/**
 * 新增 or 编辑: `id` in the address names an order that nobody has agreed to yet, `copy` one that is written once more,
 * `shipment` one of Amazon's that an order is to be made of.
 */
export default function OrderEdit() {
  const tab = useTab();
  const search = new URLSearchParams(tab.address.split('?')[1]);
  const id = search.get('id') ?? search.get('copy');
  const adopted = search.get('shipment');
  const shipment = useCall(
    fbaShipmentDetail,
    { params: { id: adopted ?? '' } },
    { enabled: adopted !== null, staleTime: 0 },
  );
  const found = useCall(shipOrderDetail, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 0 });
  if (found.isError) {
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} text="这张发货单没有取到。" />;
  }
  if ((id !== null && !found.data) || (adopted !== null && !shipment.data)) return null;
  const copy = search.get('id') === null;
  const { input, order } = found.data ?? {};
  const start = input ?? (shipment.data && inputOf(shipment.data));
  const closed = order && !copy && !EDITABLE.includes(order.state) ? order.state : undefined;
  return (
    <Editor
      key={`${id}${order?.version ?? ''}`}
      input={start}
      number={copy ? undefined : order?.number}
      closed={closed}
    />
  );
}

interface Props {
  input: Partial<ShipInput> | undefined;
  /** Of the order that is changed; undefined for a new one. */
  number: string | undefined;
  /** The state in which it can no longer be changed. */
  closed: ShipStateName | undefined;
}
type ShipStateName = keyof typeof shipOrder.states;

function Editor({ input, number, closed }: Props) {
  const tab = useTab();
  const choices = useShipChoices();
  const form = useForm(HeadForm, input ?? { packType: 'MIXED', transport: 'SEA', stockMode: 'NORMAL' });
  const [lines, setLines] = useState<Draft[]>(() => [...(input?.lines ?? [])]);
  const [pasting, setPasting] = useState(false);
  const { busy, touch, store } = useStore({
    form,
    save: saveShipOrder,
    submit: shipSteps.submit,
    refresh: refreshShip,
    detail: shipOrder.detail,
    edit: '/shipment/editinfo',
  });
  const authid = String(form.values.authid ?? '');
  const marketplaceId = String(form.values.marketplaceId ?? '');
  const warehouseId = String(form.values.warehouseId ?? '');
  const place = { authid, marketplaceId, warehouseId };
  const shop = choices?.stores.find((one) => one.id === authid);
  const sites = shop?.sites ?? [];

  // Stock is the warehouse's: with another one the lines say what lies there.
  const mskus = lines.map((line) => line.msku);
  const { data: listings } = useCall(
    findShipListings,
    { body: { ...place, text: '', mskus } },
    { enabled: authid !== '' && marketplaceId !== '' && mskus.length > 0, keep: true },
  );
  const known = new Map(listings?.map((listing) => [listing.msku, listing]));

  const change = (next: Draft[]) => {
    touch();
    setLines(next);
  };
  const press = (andSubmit: boolean) => {
    const values = form.check();
    const wrong = obstacle(lines, form.values.packType === 'CASE');
    if (wrong) notice.error(wrong);
    if (!values || wrong) return;
    const named = number !== undefined && input ? { id: input.id, version: input.version } : {};
    void store({ body: { ...values, ...named, lines: sent(lines) } } as never, andSubmit);
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{number ? `编辑${number}` : '新增发货单'}</h1>
        <span className="spring" />
        <Button
          size="small"
          onClick={() => (authid && marketplaceId ? setPasting(true) : notice.warning('请先选择店铺和站点'))}
        >
          粘贴明细
        </Button>
      </div>
      <div className="document-content">
        <div className="ship-form">
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              authid: { options: toOptions(choices?.stores) },
              marketplaceId: { options: sites.map((site) => ({ value: site.marketplaceId, label: site.country })) },
              warehouseId: { options: toOptions(choices?.warehouses.filter((one) => one.mine)) },
              addressId: { options: toOptions(shop?.addresses), placeholder: '可不选' },
              stockMode: { help: '「常规」由系统跟进亚马逊入库' },
              shipmentNo: { placeholder: 'FBA…，可在发货前补录' },
              remark: { span: 3 },
            }}
          />
        </div>
        <LineEditor
          lines={lines.map((line) => ({ ...line, listing: known.get(line.msku) }))}
          onPut={(msku, next) => change(lines.map((line) => (line.msku === msku ? { ...line, ...next } : line)))}
          onRemove={(msku) => change(lines.filter((line) => line.msku !== msku))}
          add={
            <ListingPicker
              {...place}
              onPick={(msku) =>
                lines.some((line) => line.msku === msku)
                  ? notice.warning('不能重复添加平台SKU')
                  : change([...lines, newDraft(msku)])
              }
            />
          }
        />
      </div>
      <footer className="action-bar">
        {closed && <span className="action-bar-words">单据状态为【{shipOrder.states[closed].title}】，不能修改</span>}
        <span className="spring" />
        <Button data-save loading={busy} disabled={closed !== undefined} onClick={() => press(false)}>
          保存
        </Button>
        <Button type="primary" loading={busy} disabled={closed !== undefined} onClick={() => press(true)}>
          保存并提交
        </Button>
      </footer>
      {pasting && <PasteDialog place={place} onLines={change} onClose={() => setPasting(false)} />}
    </div>
  );
}
