import type { Product } from '#kit/contract/field.ts';

/** A product as large as a thumb. */
export function Goods({ product }: { product: Product }) {
  return (
    <div className="scan-goods">
      <span className="scan-picture">{product.image && <img src={product.image} alt="" />}</span>
      <div>
        <b>{product.name}</b>
        <span>{product.code}</span>
      </div>
    </div>
  );
}
