import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import type { BoxesInput } from '../../contract/transport/compare.ts';

export const ONE_BOX: BoxesInput = { count: 1, length: null, width: null, height: null, weight: null };

const SIDES = [
  ['length', '长(cm)'],
  ['width', '宽(cm)'],
  ['height', '高(cm)'],
  ['weight', '单箱重(kg)'],
] as const;
const lineKey = (index: number) => `line ${index}`;

/** Boxes by their size: how many, how large, how heavy. */
export function BoxLines({ boxes, onChange }: { boxes: BoxesInput[]; onChange: (next: BoxesInput[]) => void }) {
  const put = (index: number, more: Partial<BoxesInput>) =>
    onChange(boxes.map((one, at) => (at === index ? { ...one, ...more } : one)));
  return (
    <div className="trans-lines">
      {boxes.map((box, index) => (
        <div key={lineKey(index)} className="trans-line">
          <InputNumber
            size="small"
            controls={false}
            aria-label={`第 ${index + 1} 种箱规 箱数`}
            min={1}
            max={5000}
            precision={0}
            suffix="箱"
            style={{ width: 96 }}
            value={box.count}
            onChange={(count) => put(index, { count: count ?? 1 })}
          />
          {SIDES.map(([key, title]) => (
            <InputNumber<string>
              key={key}
              size="small"
              stringMode
              controls={false}
              aria-label={`第 ${index + 1} 种箱规 ${title}`}
              placeholder={title}
              style={{ width: 104 }}
              value={box[key]}
              onChange={(next) => put(index, { [key]: next === '' ? null : next })}
            />
          ))}
          <button
            type="button"
            className="icon-button is-small"
            aria-label={`删除第 ${index + 1} 种箱规`}
            disabled={boxes.length === 1}
            onClick={() => onChange(boxes.filter((_, at) => at !== index))}
          >
            <DeleteOutlined />
          </button>
        </div>
      ))}
      <Button size="small" icon={<PlusOutlined />} onClick={() => onChange([...boxes, ONE_BOX])}>
        添加箱规
      </Button>
    </div>
  );
}
