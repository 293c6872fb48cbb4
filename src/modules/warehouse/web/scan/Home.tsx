import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  AuditOutlined,
  InboxOutlined,
  ShoppingCartOutlined,
  SwapOutlined,
} from '@ant-design/icons';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { metaOf } from '#kit/contract/columns.ts';
import type { Product } from '#kit/contract/field.ts';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { type ScanKind, ScanMode, scanResolve } from '../../contract/scan.ts';
import { Goods } from './Goods.tsx';
import { ScanField } from './ScanField.tsx';
import { signal } from './signals.ts';

const ICONS: Record<ScanMode, ReactNode> = {
  putaway: <ArrowUpOutlined />,
  pull: <ArrowDownOutlined />,
  move: <SwapOutlined />,
  receive: <InboxOutlined />,
  pick: <ShoppingCartOutlined />,
  count: <AuditOutlined />,
};
export const titleOf = (mode: ScanMode) => metaOf(ScanMode).states?.[mode]?.title ?? mode;

interface Props {
  /** A code that the page was opened with, read once. */
  code?: string | undefined;
  modes: readonly ScanMode[];
  warehouses: readonly { id: string; name: string }[];
  warehouseId: string;
  onWarehouse: (id: string) => void;
  onMode: (mode: ScanMode) => void;
  onDocument: (kind: ScanKind, id: string, warehouseId?: string) => void;
}

/** What to do: a job, or a document whose number is scanned. */
export function Home({ modes, warehouses, warehouseId, onWarehouse, onMode, onDocument, code }: Props) {
  const navigate = useNavigate();
  const [hint, setHint] = useState('');
  const [seen, setSeen] = useState<Product>();
  const scanned = async (code: string) => {
    setSeen(undefined);
    try {
      const meaning = await call(scanResolve, { body: { code, warehouseId } }, { quiet: true });
      signal(meaning.means === 'nothing' ? 'bad' : 'good');
      if (meaning.means === 'page') return void navigate(meaning.path);
      if (meaning.means === 'document') return onDocument(meaning.kind, meaning.id, meaning.warehouseId);
      setSeen(meaning.means === 'product' ? meaning.product : undefined);
      setHint(
        meaning.means === 'location' ? `库位 ${meaning.code}` : meaning.means === 'nothing' ? `无法识别：${code}` : '',
      );
    } catch (error) {
      signal('bad');
      if (error instanceof ApiError) setHint(messageOf(error));
    }
  };
  const opened = useEffectEvent(scanned);
  useEffect(() => {
    if (code) void opened(code);
  }, [code]);
  return (
    <>
      <label className="scan-warehouse">
        仓库
        <select value={warehouseId} onChange={(event) => onWarehouse(event.target.value)}>
          {warehouses.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ScanField placeholder="扫描单据号，或商品、库位" hint={hint} onCode={(code) => void scanned(code)} />
      {seen && (
        <section className="scan-card">
          <Goods product={seen} />
        </section>
      )}
      <div className="scan-tiles">
        {modes.map((mode) => (
          <button type="button" key={mode} onClick={() => onMode(mode)}>
            <span aria-hidden="true">{ICONS[mode]}</span>
            {titleOf(mode)}
          </button>
        ))}
      </div>
      {modes.length === 0 && <p className="scan-empty">没有扫码作业的权限，请联系管理员。</p>}
    </>
  );
}
