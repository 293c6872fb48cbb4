import { PictureOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { useState } from 'react';
import type { Product } from '../../contract/field.ts';
import { Copy } from './Copy.tsx';

interface PictureProps {
  src: string | null | undefined;
  /** Edge in px. */
  size?: number;
  /** Larger on hover. */
  zoom?: boolean;
}

/** Product picture on its white ground; an icon where there is none or it does not load. */
export function Picture({ src, size = 40, zoom = true }: PictureProps) {
  const [failed, setFailed] = useState(false);
  const box = (
    <span className="picture" style={{ width: size, height: size }}>
      {src && !failed ? (
        <img src={src} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setFailed(true)} />
      ) : (
        <PictureOutlined />
      )}
    </span>
  );
  if (!zoom || !src || failed) return box;
  const large = (
    <span className="picture picture-zoom">
      <img src={src} alt="" />
    </span>
  );
  return (
    <Popover content={large} placement="right" mouseEnterDelay={0.35} destroyOnHidden>
      {box}
    </Popover>
  );
}

interface ProductProps {
  product: Product | null | undefined;
  size?: number;
  /** One line only: dense rows. */
  flat?: boolean;
}

/** Picture, name, and the code below it with a copy button; 「+5」 for further lines of the record. */
export function ProductCell({ product, size = 40, flat = false }: ProductProps) {
  if (!product) return <span className="text3">—</span>;
  const { name, code, image, extra, more } = product;
  const codeLine = (
    <span className="product-code">
      <span className="code ellipsis">{code}</span>
      {extra && <span className="code ellipsis">{extra}</span>}
      {more ? <span className="product-more">+{more}</span> : null}
      <Copy text={code} />
    </span>
  );
  return (
    <span className={`product${flat ? ' is-flat' : ''}`}>
      <Picture src={image} size={size} />
      <span className="product-text">
        <span className="product-name ellipsis" title={name}>
          {name || code}
        </span>
        {codeLine}
      </span>
    </span>
  );
}
