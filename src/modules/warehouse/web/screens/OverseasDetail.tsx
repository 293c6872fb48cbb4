import { useCall, useSend } from '#kit/web/api/index.ts';
import { BoxTable } from '#kit/web/boxes/BoxTable.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { overseasCalls, SHIP } from '../../contract/documents/overseas.ts';
import { DocumentDetail, type Special } from '../documents/DocumentDetail.tsx';
import { overseasWeb } from '../documents/kinds.ts';
import { OverseasButtons } from '../documents/OverseasButtons.tsx';

function Boxes({ head, lines, refresh }: Special) {
  const { data } = useCall(overseasCalls.boxes, { params: { id: head.id } }, { staleTime: 0 });
  const mayPack = useAllowed(SHIP);
  const send = useSend(overseasCalls.putBoxes, {
    refreshes: [overseasCalls.boxes],
    onSuccess: async ({ message }) => {
      notice.success(message);
      await refresh();
    },
  });
  if (!data) return null;
  return (
    <BoxTable
      lines={lines.map(({ id, product, qty }) => ({ id, code: product.code, name: product.name, qty }))}
      saved={data}
      version={head.version}
      writes={mayPack && head.state === 'packing'}
      none="完成配货后填写装箱数据"
      onSave={(boxes) => send.mutateAsync({ body: { id: head.id, version: head.version, boxes } })}
    />
  );
}

/** 海外仓备货单: one with its boxes, its way and its receipts. */
export default function OverseasDetail() {
  return (
    <DocumentDetail
      kind={overseasWeb}
      tabs={(special) => [
        { key: 'boxes', title: '装箱', count: special.head.boxes ?? 0, content: <Boxes {...special} /> },
      ]}
      buttons={(special) => <OverseasButtons {...special} />}
    />
  );
}
