import { DatePicker, Select } from 'antd';
import dayjs from 'dayjs';
import { StoreName } from '#kit/web/cells/index.ts';
import { Banner } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { PackType, type Transport } from '../../contract/fields.ts';
import { PlannedLine, type PlannedShip } from '../../contract/plan-submit.ts';
import { WAYS } from './choices.ts';
import { Measures } from './Measures.tsx';

const PACKS = Object.entries(PackType.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as PackType,
  label: title,
}));

/** How a group goes, as it was chosen. */
export interface Way {
  warehouseId: string;
  transport: Transport;
  plannedOn: string | null;
  packType: PackType;
}

interface Props {
  ship: PlannedShip;
  way: Way;
  senders: readonly { value: string; label: string }[];
  onChange: (next: Partial<Way>) => void;
}

/** One ship order that would come of the plan; warehouse, way and day can still be changed for all of it. */
export function ShipGroup({ ship, way, senders, onChange }: Props) {
  const name = `${ship.store.name} ${ship.store.country} ${ship.warehouse}`;
  const known = senders.some(({ value }) => value === way.warehouseId);
  return (
    <section className="ship-group">
      <header>
        <h2>
          <StoreName store={ship.store} />
        </h2>
        <Select
          size="small"
          aria-label={`${name} 发货仓`}
          style={{ width: 140 }}
          value={way.warehouseId}
          options={known ? [...senders] : [{ value: ship.warehouseId, label: ship.warehouse }, ...senders]}
          onChange={(warehouseId) => onChange({ warehouseId })}
        />
        <Select
          size="small"
          aria-label={`${name} 运输方式`}
          style={{ width: 88 }}
          value={way.transport}
          options={WAYS}
          onChange={(transport) => onChange({ transport })}
        />
        <Select
          size="small"
          aria-label={`${name} 包装`}
          style={{ width: 88 }}
          value={way.packType}
          options={PACKS}
          onChange={(packType) => onChange({ packType })}
        />
        <DatePicker
          size="small"
          aria-label={`${name} 计划发货日`}
          placeholder="计划发货日"
          style={{ width: 130 }}
          value={way.plannedOn ? dayjs(way.plannedOn) : null}
          onChange={(day) => onChange({ plannedOn: day ? day.format('YYYY-MM-DD') : null })}
        />
        <span className="spring" />
        <Measures ships={[{ ship, transport: way.transport }]} />
      </header>
      {ship.blocked && <Banner>{ship.blocked}</Banner>}
      {way.warehouseId !== ship.warehouseId && (
        <p className="label ship-note">发货仓已改，提醒和可承诺仍按「{ship.warehouse}」计算。</p>
      )}
      <LineTable row={PlannedLine} rows={ship.lines} density="picture" label={`${name} 明细`} />
    </section>
  );
}
