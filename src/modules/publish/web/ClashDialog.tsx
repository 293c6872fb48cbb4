import { Modal, Radio } from 'antd';
import { type ReactNode, useState } from 'react';
import type { Clash } from '../contract/draft.ts';

type Side = 'theirs' | 'mine';

interface Props {
  clashes: readonly Clash[];
  busy: boolean;
  onMerge: (take: Record<string, Side>) => void;
  onClose: () => void;
}

const words = (text: string | null): string => text ?? '（空）';

/** What somebody changed in Seller Central since the draft began: for what both changed one side is chosen. */
export function ClashDialog({ clashes, busy, onMerge, onClose }: Props) {
  const [take, setTake] = useState<Record<string, Side>>({});
  const open = clashes.filter(({ attribute, both }) => both && take[attribute] === undefined);
  return (
    <Modal
      open
      width={860}
      title="商品已在卖家后台被修改"
      okText="合并到草稿"
      okButtonProps={{ disabled: open.length > 0 }}
      confirmLoading={busy}
      onOk={() => onMerge(take)}
      onCancel={onClose}
    >
      <p className="label">只有对方修改的属性采用卖家后台的内容；双方都修改过的请选择。合并后再提交。</p>
      <div className="publish-clash">
        <span className="label">属性</span>
        <span className="label">卖家后台</span>
        <span className="label">我的草稿</span>
        <span className="label">保留</span>
        {clashes.map(({ attribute, label, theirs, mine, both }) => (
          <Row key={attribute} label={label} theirs={words(theirs)} mine={both ? words(mine) : '未修改'}>
            {both ? (
              <Radio.Group
                aria-label={`${label}保留哪一方`}
                value={take[attribute]}
                options={[
                  { value: 'theirs', label: '后台' },
                  { value: 'mine', label: '我的' },
                ]}
                onChange={(event) => setTake({ ...take, [attribute]: event.target.value as Side })}
              />
            ) : (
              '采用后台'
            )}
          </Row>
        ))}
      </div>
    </Modal>
  );
}

function Row(props: { label: string; theirs: string; mine: string; children: ReactNode }) {
  return (
    <>
      <span>{props.label}</span>
      <span>{props.theirs}</span>
      <span>{props.mine}</span>
      <span>{props.children}</span>
    </>
  );
}
