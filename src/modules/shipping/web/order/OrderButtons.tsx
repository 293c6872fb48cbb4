import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ADD, BOX, PICK, SHIP, VIEW } from '../../contract/fields.ts';
import type { ShipRow } from '../../contract/order.ts';
import { QUOTE_ADD } from '../../contract/quote-request/fields.ts';
import { TRANS_VIEW } from '../../contract/transport/fields.ts';
import { EDIT_PATH as QUOTE_EDIT } from '../quote-request/shared.ts';

interface Props {
  id: string;
  /** Undefined while it loads. */
  order: ShipRow | undefined;
  /** How many it is packed into. */
  boxes: number;
  onOpen: (dialog: 'way' | 'received') => void;
}

interface Offer {
  label: string;
  code: string;
  when: boolean;
  run: () => void;
  /** What E presses. */
  edits?: boolean;
}

/** What can be done with an order beside its steps, by its state. */
export function OrderButtons({ id, order, boxes, onOpen }: Props) {
  const tab = useTab();
  const is = (...states: ShipRow['state'][]) => order !== undefined && states.includes(order.state);
  const go = (path: string, title: string, query: Record<string, string>) => () => tab.open(path, { title, query });
  const number = order?.number ?? '';
  const offers: Offer[] = [
    {
      label: '编辑',
      code: ADD,
      when: is('draft', 'rejected'),
      run: go('/shipment/editinfo', `编辑${number}`, { id }),
      edits: true,
    },
    {
      label: '货件处理',
      code: VIEW,
      when: order?.stockMode === 'NORMAL' && !is('draft', 'pending', 'rejected'),
      run: go('/shipment_handing/shipstep', `货件处理${number}`, { id }),
    },
    {
      label: '配货',
      code: PICK,
      when: is('picking'),
      run: go('/shipment_handing/pehuo', `配货${number}`, { id }),
    },
    {
      label: '扫码装箱',
      code: BOX,
      when: is('packing'),
      run: () => window.open(`/shipment_handing/pack?id=${id}`, '_blank', 'noopener'),
    },
    { label: '登记接收', code: SHIP, when: is('shipped', 'receiving'), run: () => onOpen('received') },
    {
      label: '物流信息',
      code: SHIP,
      when: order !== undefined && !is('done', 'cancelled'),
      run: () => onOpen('way'),
    },
    {
      label: '比价',
      code: TRANS_VIEW,
      when: boxes > 0 && is('packing', 'ready'),
      run: go('/erp/transportation/compare', '物流比价', { order: id }),
    },
    {
      label: '询价',
      code: QUOTE_ADD,
      when: is('pending', 'held', 'picking', 'packing', 'ready'),
      run: go(QUOTE_EDIT, '发起询价', { orders: id }),
    },
    {
      label: '差异',
      code: VIEW,
      when: is('done', 'receiving') && (order?.claims ?? 0) > 0,
      run: go('/erp/ship/discrepancy', '差异与索赔', { 'f.keyword': number }),
    },
    {
      label: '复制',
      code: ADD,
      when: order !== undefined,
      run: go('/invoice/addshipment', '新增发货单', { copy: id }),
    },
  ];
  return (
    <>
      {offers
        .filter((offer) => offer.when)
        .map(({ label, code, run, edits }) => (
          <Allowed key={label} code={code}>
            <Button {...(edits ? { 'data-edit': true } : {})} onClick={run}>
              {label}
            </Button>
          </Allowed>
        ))}
      <Button
        icon={<PrinterOutlined />}
        disabled={!order}
        onClick={() => window.open(`/orderblank?shipmentid=${id}`, '_blank', 'noopener')}
      >
        配货单
      </Button>
    </>
  );
}
