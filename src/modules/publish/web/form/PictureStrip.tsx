import { Button, Upload } from 'antd';
import { useState } from 'react';
import { upload } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { Attributes, Values } from '../../contract/form.ts';
import { PICTURE, uploadPicture } from '../../contract/pictures.ts';

interface Props {
  draftId: string;
  /** Names of the attributes that hold pictures, the main one first. */
  names: readonly string[];
  attributes: Attributes;
  disabled: boolean;
  onChange: (name: string, values: Values) => void;
}

const linkOf = (values: Values | undefined): string | undefined => {
  const link = values?.[0]?.media_location;
  return typeof link === 'string' && link !== '' ? link : undefined;
};

/** Names of the attributes of a form that hold pictures. */
export function pictureNames(names: readonly string[]): string[] {
  return names.filter((name) => PICTURE.test(name)).sort();
}

/** Main and other pictures in a row: several are chosen from disk at once, and dragged into their order. */
export function PictureStrip({ draftId, names, attributes, disabled, onChange }: Props) {
  const [busy, setBusy] = useState(false);
  const [dragged, setDragged] = useState<number>();
  const links = names.flatMap((name) => linkOf(attributes[name]) ?? []);
  const put = (next: readonly string[]) => {
    names.forEach((name, index) => {
      const link = next[index];
      if (link === linkOf(attributes[name])) return;
      const [first = {}] = attributes[name] ?? [];
      onChange(name, link === undefined ? [] : [{ ...first, media_location: link }]);
    });
  };
  const take = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    const room = names.length - links.length;
    if (files.length > room) notice.warning(`还可以放 ${room} 张图片，其余没有上传`);
    const taken: string[] = [];
    try {
      for (const file of files.slice(0, room)) {
        const { url, warning } = await upload(uploadPicture, { body: { id: draftId } }, file);
        taken.push(url);
        if (warning) notice.warning(`${file.name}：${warning}`);
      }
    } catch {
      // The client has said why; what came before it stays.
    } finally {
      if (taken.length > 0) put([...links, ...taken]);
      setBusy(false);
    }
  };
  const drop = (at: number) => {
    if (dragged === undefined || dragged === at) return;
    const next = links.filter((_, index) => index !== dragged);
    next.splice(at, 0, links[dragged] ?? '');
    put(next);
    setDragged(undefined);
  };
  return (
    <div className="publish-strip">
      <ol aria-label="商品图片">
        {links.map((link, index) => (
          <li
            key={link}
            draggable={!disabled}
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => drop(index)}
          >
            <img className="publish-picture" src={link} alt={index === 0 ? '主图' : `附图 ${index}`} />
            <span className="text3">{index === 0 ? '主图' : `附图 ${index}`}</span>
            {!disabled && (
              <Button
                type="text"
                size="small"
                aria-label={`移除第 ${index + 1} 张图片`}
                onClick={() => put(links.filter((one) => one !== link))}
              >
                移除
              </Button>
            )}
          </li>
        ))}
      </ol>
      {!disabled && links.length < names.length && (
        <Upload
          accept="image/png,image/jpeg"
          multiple
          showUploadList={false}
          beforeUpload={(file, all) => {
            // Told once for each of them, with all: the first one takes them along.
            if (file === all[0]) void take(all);
            return false;
          }}
        >
          <Button loading={busy}>上传图片</Button>
        </Upload>
      )}
      <span className="field-help">JPG 或 PNG，不超过 10MB，最长边建议至少 1000 像素；拖动排序，第一张为主图。</span>
    </div>
  );
}
