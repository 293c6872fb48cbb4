import { Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { call, messageOf } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listListings } from '#modules/listing/contract.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { MOST_AT_ONCE } from '../../contract/many.ts';
import { useEditMany } from './use-many.ts';

const PAGE = 100;

/** Listings of a site by their SKUs, page by page. */
async function listingsOf(site: string, skus: string[]): Promise<{ id: string; sellerSku: string }[]> {
  const found: { id: string; sellerSku: string }[] = [];
  for (let at = 0; at < skus.length; at += PAGE) {
    const filter = { sites: [site], skus: skus.slice(at, at + PAGE) };
    const { records } = await call(listListings, { body: { pagesize: PAGE, filter } }, { quiet: true });
    found.push(...records);
  }
  return found;
}

/** 批量编辑: SKUs of a site, pasted from wherever they are, become drafts. */
export function EditManyDialog({ onClose }: { onClose: () => void }) {
  const options = useSiteOptions() ?? [];
  const [site, setSite] = useState<string>();
  const [text, setText] = useState('');
  const [looking, setLooking] = useState(false);
  const send = useEditMany(onClose);
  const skus = [...new Set(text.split(/[\s,，;；]+/).filter(Boolean))];
  const begin = async (at: string) => {
    setLooking(true);
    try {
      const found = await listingsOf(at, skus);
      const known = new Set(found.map(({ sellerSku }) => sellerSku));
      const missing = skus.filter((sku) => !known.has(sku));
      if (missing.length > 0) {
        const some = missing.slice(0, 3).join('、');
        notice.error(`该站点没有 ${some}${missing.length > 3 ? ` 等 ${missing.length} 个商品` : ''}`);
      } else send.mutate({ body: { listingIds: found.map(({ id }) => id) } });
    } catch (error) {
      notice.error(messageOf(error));
    } finally {
      setLooking(false);
    }
  };
  return (
    <Modal
      open
      title="批量编辑"
      okText={skus.length > 0 ? `建立 ${skus.length} 份草稿` : '建立草稿'}
      okButtonProps={{ disabled: site === undefined || skus.length === 0 || skus.length > MOST_AT_ONCE }}
      confirmLoading={looking || send.isPending}
      onOk={() => site && void begin(site)}
      onCancel={onClose}
    >
      <p className="label">
        每个商品按亚马逊现在的内容建立一份草稿，已有的草稿直接沿用。勾选草稿可导出批量编辑表，在表格里修改后导入。
      </p>
      <div className="publish-many">
        <Select
          aria-label="店铺/站点"
          placeholder="店铺/站点"
          showSearch={{ optionFilterProp: 'label' }}
          value={site}
          options={options}
          onChange={setSite}
        />
        <Input.TextArea
          aria-label="平台SKU"
          placeholder={`平台SKU，一行一个，最多 ${MOST_AT_ONCE} 个`}
          rows={8}
          value={text}
          status={skus.length > MOST_AT_ONCE ? 'error' : ''}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </Modal>
  );
}
