import { useState } from 'react';
import { Sparkline } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { filterFields, ListScreen, readState } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT } from '../../contract/fields.ts';
import { type Bundles, exportVolume, salesVolume, VolumeFilter, VolumeRow } from '../../contract/volume.ts';
import { useSalesOptions } from '../options.ts';
import { VolumeDrawer } from '../VolumeDrawer.tsx';

const COLUMNS: ColumnOverrides<VolumeRow> = {
  trend: {
    render: ({ trend }) =>
      trend === '' ? null : <Sparkline values={trend.split(' ').map(Number)} label="近30天走势" />,
    text: ({ trend }) => trend,
  },
};
const DEFAULTS = { bundles: 'apart' };
const MODES = ['bundles'];
const FIELDS = filterFields(VolumeFilter);

/** ERP销量: what each local product sold lately at every platform, bundles taken apart or not. */
export default function Volume() {
  const options = useSalesOptions();
  const mayExport = useAllowed(EXPORT);
  const [open, setOpen] = useState<string>();
  const search = new URLSearchParams(useTab().address.split('?')[1]);
  const bundles: Bundles = readState(search, FIELDS, DEFAULTS).filter.bundles === 'sold' ? 'sold' : 'apart';
  return (
    <>
      <ListScreen
        name="channel/volume"
        title="ERP销量"
        unit="个产品"
        endpoint={salesVolume}
        row={VolumeRow}
        filter={VolumeFilter}
        defaults={DEFAULTS}
        modes={MODES}
        options={options}
        columns={COLUMNS}
        current={open}
        onOpen={({ id }) => setOpen(id)}
        {...(mayExport ? { exportEndpoint: exportVolume } : {})}
        note="按各店铺当地日期，截至昨日"
        empty={
          <Empty title="还没有销量" text="亚马逊订单同步并配对本地SKU后列在这里；其它平台的订单在ERP销售报表导入。">
            <TabLink to="/erp/sales/report" title="ERP销售报表">
              ERP销售报表
            </TabLink>
          </Empty>
        }
      />
      <VolumeDrawer id={open} bundles={bundles} onClose={() => setOpen(undefined)} />
    </>
  );
}
