import { InputNumber } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  countMatches,
  listMatches,
  type MatchPart,
  type MatchRow,
  matchHistory,
  saveMatches,
} from '../contract/match.ts';

/** What a listing stands for; several products, or one that is made of others, are marked 组合. */
export function PartsCell({ parts, text }: { parts: readonly MatchPart[]; text: string }) {
  const bundle = parts.length > 1 || parts.some((part) => part.bundle);
  return (
    <span className="code">
      {text} {bundle && <Tag tone="side" title="组合" />}
    </span>
  );
}

/** Pieces in one of a listing, changed in place: the pairing keeps its products and its first day. */
export function UnitsCell({ row, may }: { row: MatchRow; may: boolean }) {
  const [editing, setEditing] = useState(false);
  const [part] = row.parts;
  const save = useSend(saveMatches, {
    refreshes: [listMatches, countMatches, matchHistory],
    onSuccess: () => {
      notice.success(`${row.msku} 每件数量已修改`);
      setEditing(false);
    },
  });
  if (!part || row.units === null) return <span className="text3">{row.parts.length > 1 ? '组合' : '—'}</span>;
  if (!may) return <span className="num">{row.units}</span>;
  if (!editing) {
    return (
      <button type="button" className="link num" title="修改每件数量" onClick={() => setEditing(true)}>
        {row.units}
      </button>
    );
  }
  const put = (value: string) => {
    const qty = Number(value);
    if (!Number.isInteger(qty) || qty < 1 || qty > 10_000 || qty === row.units) return setEditing(false);
    const { accountId, marketplaceId, msku, validFrom, validTo } = row;
    save.mutate({
      body: {
        listings: [{ accountId, marketplaceId, msku }],
        parts: [{ productId: part.productId, qty }],
        ...(validFrom ? { validFrom } : {}),
        ...(validTo ? { validTo } : {}),
      },
    });
  };
  return (
    <InputNumber
      size="small"
      aria-label={`${row.msku} 每件数量`}
      autoFocus
      min={1}
      max={10_000}
      precision={0}
      defaultValue={row.units}
      disabled={save.isPending}
      onKeyDown={(event) => {
        if (event.key === 'Enter') put(event.currentTarget.value);
        if (event.key === 'Escape') setEditing(false);
      }}
      onBlur={(event) => put(event.currentTarget.value)}
    />
  );
}
