import { Button } from 'antd';
import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { exportLabelPrints, LABEL_REPRINT, LabelFilter, LabelPrint, listLabelPrints } from '../../contract/labels.ts';
import { PrintDialog } from '../labels/PrintDialog.tsx';
import { ReprintDialog } from '../labels/ReprintDialog.tsx';
import { useSiteOptions } from '../site-options.ts';

/** 标签打印: labels for pasted SKUs, and all that were printed, to be printed again. */
export default function Labels() {
  const sites = useSiteOptions();
  const mayReprint = useAllowed(LABEL_REPRINT);
  const mayExport = useAllowed('amz:listing:export');
  const [printing, setPrinting] = useState(false);
  const [again, setAgain] = useState<readonly LabelPrint[]>();
  const print = (
    <Button type="primary" onClick={() => setPrinting(true)}>
      打印标签
    </Button>
  );
  return (
    <>
      <ListScreen
        name="listing/labels"
        title="标签打印"
        unit="条记录"
        endpoint={listLabelPrints}
        {...(mayExport ? { exportEndpoint: exportLabelPrints } : {})}
        row={LabelPrint}
        filter={LabelFilter}
        options={{ sites }}
        batch={mayReprint ? [{ label: '重打', primary: true, onClick: setAgain }] : []}
        head={print}
        empty={
          <Empty title="还没有打印过标签" text="粘贴平台SKU和数量打印FNSKU标签，或在「在线商品」勾选商品后打印。">
            {print}
          </Empty>
        }
      />
      {printing && <PrintDialog onClose={() => setPrinting(false)} />}
      {again && <ReprintDialog rows={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}
