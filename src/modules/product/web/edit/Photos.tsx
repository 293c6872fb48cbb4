import { Button, Upload } from 'antd';
import { useState } from 'react';
import { cacheKey, queryClient, upload, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listProducts, productDetail } from '../../contract/material.ts';
import { changePhoto, type Media, MediaRole, uploadPhoto } from '../../contract/parts.ts';

const TITLES = MediaRole.meta()?.states ?? {};
const refresh = () =>
  Promise.all([productDetail, listProducts].map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));

/** 图片: pictures of a product; they are saved as soon as they are chosen. */
export function Photos({ id, media, editable }: { id: string; media: readonly Media[]; editable: boolean }) {
  const [busy, setBusy] = useState(0);
  const change = useSend(changePhoto, { refreshes: [productDetail, listProducts] });
  const send = async (file: File) => {
    setBusy((n) => n + 1);
    try {
      const { isNew } = await upload(uploadPhoto, { body: { id, role: 'detail' } }, file);
      if (!isNew) notice.success('这张图片已经有了');
      await refresh();
    } catch {
      // The client has said why.
    } finally {
      setBusy((n) => n - 1);
    }
  };
  return (
    <>
      {editable && (
        <Upload
          accept="image/png,image/jpeg"
          multiple
          showUploadList={false}
          beforeUpload={(file) => {
            void send(file);
            return false;
          }}
        >
          <Button loading={busy > 0}>上传图片</Button>
          <span className="label">　JPG、PNG，每张不超过 5 MB；第一张为主图</span>
        </Upload>
      )}
      <div className="photo-grid">
        {media.map((one) => (
          <figure className="photo-card" key={one.id}>
            <span className="photo-frame">
              <img src={one.url} alt={TITLES[one.role]?.title ?? ''} loading="lazy" />
            </span>
            <figcaption className="photo-acts">
              <b>{TITLES[one.role]?.title}</b>
              <span className="text3 num">
                {one.width}×{one.height}
              </span>
              {editable && one.role !== 'main' && (
                <button
                  type="button"
                  className="link"
                  onClick={() => change.mutate({ body: { id: one.id, action: 'main' } })}
                >
                  设为主图
                </button>
              )}
              {editable && one.role === 'detail' && (
                <button
                  type="button"
                  className="link"
                  onClick={() => change.mutate({ body: { id: one.id, action: 'packed' } })}
                >
                  带包装
                </button>
              )}
              {editable && (
                <button
                  type="button"
                  className="link"
                  onClick={() => change.mutate({ body: { id: one.id, action: 'remove' } })}
                >
                  删除
                </button>
              )}
            </figcaption>
          </figure>
        ))}
        {media.length === 0 && <span className="text3">还没有图片</span>}
      </div>
    </>
  );
}
