import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { PiecesDialog } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { SelfRow } from '../../contract/self/rows.ts';
import { pickSelf, selfPickRows } from '../../contract/self/work.ts';
import { refreshSelf } from './shared.ts';

/** 登记拣货: what was taken now of each local product. */
export function PickDialog({ document, onClose }: { document: SelfRow; onClose: () => void }) {
  const { id, version } = document;
  const { data } = useCall(selfPickRows, { params: { id } }, { staleTime: 0 });
  if (!data) return null;
  const lines = data
    .filter((row) => row.want > row.picked)
    .map(({ lineId, product, want, picked }) => ({ id: lineId, product, qty: want - picked }));
  return (
    <PiecesDialog
      title="登记拣货"
      note="填写本次从库位取下的数量；全部拣齐后转为待发货。"
      word="本次拣货"
      lines={lines}
      start={(line) => line.qty}
      onClose={onClose}
      onSend={async (pieces) => {
        const taken = pieces.filter((one) => one.pieces > 0).map(({ lineId, pieces: qty }) => ({ lineId, qty }));
        const body = { id, version, clientId: uuid(), lines: taken };
        notice.success((await call(pickSelf, { body }, { quiet: true })).message);
        await refreshSelf();
      }}
    />
  );
}
