import { useEffect } from 'react';
import type { ScanPack } from '../../contract/scan.ts';
import { signal } from './signals.ts';

type Goods = ScanPack['products'][number];

interface Props {
  /** The code as scanned, where it means no product. */
  code: string;
  found: Goods | undefined;
  expected: Goods | undefined;
  onClose: () => void;
}

function Side({ title, goods, code }: { title: string; goods: Goods | undefined; code: string }) {
  return (
    <figure>
      <span className="scan-picture">{goods?.product.image && <img src={goods.product.image} alt="" />}</span>
      <figcaption>
        <small>{title}</small>
        <b>{goods?.product.code ?? code}</b>
        <span>{goods?.product.name ?? '无法识别'}</span>
      </figcaption>
    </figure>
  );
}

/** The wrong thing in hand: the whole screen says so, with both pictures. */
export function Wrong({ code, found, expected, onClose }: Props) {
  useEffect(() => signal('bad'), []);
  return (
    <div className="scan-wrong" role="alertdialog" aria-label="商品不匹配">
      <h2>{expected ? `商品不匹配：应为 ${expected.product.code}` : '商品不在本单中'}</h2>
      <Side title="扫到的" goods={found} code={code} />
      {expected && <Side title="应为" goods={expected} code="" />}
      <button type="button" className="scan-main" onClick={onClose}>
        知道了，重新扫描
      </button>
    </div>
  );
}
