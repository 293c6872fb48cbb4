import { Button, Modal, Select } from 'antd';
import { useState } from 'react';
import type { Box } from '#kit/contract/box.ts';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { messageOf, useCall } from '#kit/web/api/index.ts';
import { suggestBoxes } from '../../contract/box/calls.ts';
import { useTemplates } from './templates.ts';

interface Props {
  id: string;
  /** One SKU a box, in the size of its case: no carton is asked for. */
  cases: boolean;
  onClose: () => void;
  /** Adds the boxes to those that are there. */
  onTake: (boxes: Box[]) => Promise<unknown>;
}

function Found({
  id,
  templateId,
  onBoxes,
}: {
  id: string;
  templateId: string | null;
  onBoxes: (boxes: Box[]) => void;
}) {
  const { data, error } = useCall(suggestBoxes, { body: { id, templateId } }, { staleTime: 0 });
  if (error) return <p className="danger">{messageOf(error)}</p>;
  if (!data) return <p className="text2">计算中…</p>;
  const pieces = data.boxes.flatMap((box) => box.items).reduce((sum, item) => sum + item.qty, 0);
  const weights =
    data.heaviest && data.lightest && `，每箱 ${plainDecimal(data.lightest)}–${plainDecimal(data.heaviest)} kg`;
  return (
    <>
      <p>
        {data.boxes.length === 0
          ? '没有可以装箱的商品'
          : `建议 ${formatInteger(data.boxes.length)} 箱，共 ${formatInteger(pieces)} 件${weights ?? ''}`}
      </p>
      {data.problems.length > 0 && (
        <ul className="warning">
          {data.problems.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {data.boxes.length > 0 && (
        <Button type="primary" onClick={() => onBoxes(data.boxes)}>
          采用
        </Button>
      )}
    </>
  );
}

/** 装箱建议: boxes for what is picked and not packed yet, to be taken over and changed. */
export function SuggestDialog({ id, cases, onClose, onTake }: Props) {
  const templates = useTemplates()?.templates;
  const [chosen, setChosen] = useState<string>();
  const templateId = chosen ?? templates?.at(-1)?.id ?? null;
  return (
    <Modal title="装箱建议" open width={520} footer={null} onCancel={onClose}>
      <div className="ship-suggest">
        {!cases && (
          <Select
            aria-label="箱型"
            placeholder="选择箱型"
            style={{ width: '100%' }}
            value={templateId}
            options={(templates ?? []).map(({ id: value, name, length, width, height }) => ({
              value,
              label: `${name}（${length}×${width}×${height} cm）`,
            }))}
            onChange={setChosen}
            notFoundContent="还没有箱型，请先在「箱型」中新增"
          />
        )}
        <p className="text2">
          {cases
            ? '按每箱数分箱，尺寸取商品的单箱资料。'
            : '按体积（装满不超过 90%）和重量上限装箱，再把各箱重量调匀。'}
        </p>
        {(cases || templateId !== null) && (
          <Found
            key={templateId}
            id={id}
            templateId={cases ? null : templateId}
            onBoxes={(boxes) =>
              void onTake(boxes).then(onClose, () => {
                // The save has said why.
              })
            }
          />
        )}
      </div>
    </Modal>
  );
}
