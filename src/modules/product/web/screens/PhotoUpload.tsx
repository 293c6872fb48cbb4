import '../product.css';
import { Segmented } from 'antd';
import { useState } from 'react';
import { upload, useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { productDetail } from '../../contract/material.ts';
import { type Media, MediaRole, uploadPhoto } from '../../contract/parts.ts';
import { type Picked, ProductPicker } from '../ProductPicker.tsx';

type Role = Media['role'];
const ROLES = Object.entries(MediaRole.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as Role,
  label: title,
}));

/** 图片上传: one column for a phone; choose a product, take a picture, it is saved at once. */
export default function PhotoUpload() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id');
  const [picked, setPicked] = useState<Picked>();
  const [role, setRole] = useState<Role>('main');
  const [busy, setBusy] = useState(false);
  const productId = picked?.id ?? id;
  const { data, refetch } = useCall(
    productDetail,
    { params: { id: productId ?? '' } },
    { enabled: Boolean(productId), staleTime: 0 },
  );
  const send = async (files: FileList | null) => {
    if (!productId || !files) return;
    setBusy(true);
    try {
      for (const file of files) {
        const { isNew } = await upload(uploadPhoto, { body: { id: productId, role } }, file);
        notice.success(isNew ? `${file.name} 已上传` : `${file.name} 已经有了`);
      }
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
      await refetch();
    }
  };
  return (
    <div className="photo-page">
      <ProductPicker
        onPick={setPicked}
        {...(data ? { value: { id: data.id, label: `${data.sku} ${data.name}` } } : {})}
        placeholder="扫描条码，或输入 SKU、名称"
      />
      {data && (
        <>
          <b>
            <Picture src={data.image} size={48} zoom={false} />　{data.sku}
          </b>
          <Segmented<Role> block value={role} onChange={setRole} options={ROLES} />
          <label className="photo-take">
            {busy ? '上传中…' : '拍照或选择图片'}
            <input
              type="file"
              accept="image/png,image/jpeg"
              capture="environment"
              multiple
              disabled={busy}
              onChange={(event) => void send(event.target.files)}
            />
          </label>
          <span className="label">JPG、PNG，每张不超过 5 MB；相同图片不会重复保存。</span>
          <div className="photo-grid">
            {data.media.map((one) => (
              <figure className="photo-card" key={one.id}>
                <span className="photo-frame">
                  <img src={one.url} alt={one.role} />
                </span>
                <figcaption>{ROLES.find((choice) => choice.value === one.role)?.label}</figcaption>
              </figure>
            ))}
          </div>
        </>
      )}
      {!data && <span className="text3">先选择一个产品。</span>}
    </div>
  );
}
