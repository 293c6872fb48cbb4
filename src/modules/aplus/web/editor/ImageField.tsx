import { Button, Input, Slider, Upload } from 'antd';
import { useState } from 'react';
import { upload } from '#kit/web/api/index.ts';
import { centred } from '../../contract/check.ts';
import type { ImageValue } from '../../contract/content.ts';
import { uploadPicture } from '../../contract/documents.ts';
import { ALT_TEXT } from '../../contract/modules.ts';
import { usePicture } from '../preview/use-picture.ts';

interface Props {
  documentId: string;
  title: string;
  /** Least width and height of the module, pixels. */
  size: { width: number; height: number };
  image: ImageValue | undefined;
  disabled: boolean;
  onChange: (image: ImageValue | undefined) => void;
}

/** A picture that is larger than its place is moved along the side that has room. */
function CropSliders({ image, onChange }: { image: ImageValue; onChange: (image: ImageValue) => void }) {
  const { crop, width, height } = image;
  const slider = (side: 'x' | 'y', room: number, label: string) =>
    room > 0 && (
      <span className="aplus-slider" key={side}>
        <span className="label">{label}</span>
        <Slider
          min={0}
          max={room}
          value={crop[side]}
          ariaLabelForHandle={label}
          onChange={(value: number) => onChange({ ...image, crop: { ...crop, [side]: value } })}
        />
      </span>
    );
  return (
    <>
      {slider('x', width - crop.width, '左右位置')}
      {slider('y', height - crop.height, '上下位置')}
    </>
  );
}

function Thumb({ image }: { image: ImageValue }) {
  const src = usePicture(image);
  return src ? <img className="aplus-thumb" src={src} alt="" /> : <span className="aplus-thumb" />;
}

/** A picture of a module: kept here first, and sent to Amazon when the document is. */
export function ImageField({ documentId, title, size, image, disabled, onChange }: Props) {
  const [busy, setBusy] = useState(false);
  const send = async (file: File) => {
    setBusy(true);
    try {
      const { id, width, height } = await upload(uploadPicture, { body: { id: documentId } }, file);
      onChange({ picture: id, width, height, alt: image?.alt ?? '', crop: centred({ width, height }, size) });
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="aplus-picture">
      {image && <Thumb image={image} />}
      <div className="aplus-stack">
        <span className="aplus-line">
          {!disabled && (
            <Upload
              accept="image/png,image/jpeg"
              showUploadList={false}
              beforeUpload={(file) => {
                void send(file);
                return false;
              }}
            >
              <Button size="small" loading={busy}>
                {image ? '更换图片' : '选择图片'}
              </Button>
            </Upload>
          )}
          {image && !disabled && (
            <Button size="small" type="text" onClick={() => onChange(undefined)}>
              移除
            </Button>
          )}
          <span className="label">
            至少 {size.width}×{size.height}，JPG、PNG，不超过 2 MB
            {image && image.width > 0 && `；现为 ${image.width}×${image.height}`}
          </span>
        </span>
        {image && (
          <Input
            aria-label={`${title}替代文字`}
            placeholder="替代文字（必填，给看不到图片的买家）"
            value={image.alt}
            count={{ show: true, max: ALT_TEXT }}
            disabled={disabled}
            onChange={({ target }) => onChange({ ...image, alt: target.value })}
          />
        )}
        {image && !disabled && image.width > 0 && <CropSliders image={image} onChange={onChange} />}
      </div>
    </div>
  );
}
