import { Button, InputNumber } from 'antd';
import { useState } from 'react';

/** What somebody would do about goods that lie too long; nothing where empty. */
export interface Wish {
  perDay: string | null;
  remove: number;
  removeFee: string | null;
}

export const NOTHING: Wish = { perDay: null, remove: 0, removeFee: null };

interface FieldProps {
  label: string;
  value: string | null;
  placeholder: string;
  whole?: boolean;
  onChange: (value: string | null) => void;
}

function Field({ label, value, placeholder, whole = false, onChange }: FieldProps) {
  return (
    <div className="aging-wish">
      <span className="label">{label}</span>
      <InputNumber
        stringMode
        size="small"
        min="0"
        controls={false}
        aria-label={label}
        style={{ width: 120 }}
        value={value}
        placeholder={placeholder}
        {...(whole ? { precision: 0 } : {})}
        onChange={onChange}
      />
    </div>
  );
}

/** Where somebody writes what would be done: sold faster, or taken out now. */
export function WishBar({ perDay, onReckon }: { perDay: string; onReckon: (wish: Wish) => void }) {
  const [wish, setWish] = useState(NOTHING);
  return (
    <div className="aging-wishes">
      <Field
        label="清货后日均销量"
        value={wish.perDay}
        placeholder={perDay}
        onChange={(value) => setWish({ ...wish, perDay: value || null })}
      />
      <Field
        label="现在移除数量"
        whole
        value={wish.remove === 0 ? null : String(wish.remove)}
        placeholder="0"
        onChange={(value) => setWish({ ...wish, remove: Number(value ?? 0) })}
      />
      <Field
        label="单件移除费"
        value={wish.removeFee}
        placeholder="可不填"
        onChange={(value) => setWish({ ...wish, removeFee: value || null })}
      />
      <Button size="small" type="primary" onClick={() => onReckon(wish)}>
        测算
      </Button>
      <Button
        size="small"
        onClick={() => {
          setWish(NOTHING);
          onReckon(NOTHING);
        }}
      >
        清空
      </Button>
    </div>
  );
}
