import { CopyOutlined, ExportOutlined, WarningFilled } from '@ant-design/icons';
import { Button, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { copyText } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, authUrl, type StoreRow } from '../../contract/stores.ts';
import { SitePicker } from './SitePicker.tsx';

/** What the consent is for: a store, or an account that is renewed. */
export type ConsentTarget = { storeId?: string | undefined; account?: AccountRow | undefined };

interface Props {
  target: ConsentTarget;
  stores: readonly StoreRow[];
  onClose: () => void;
  onNewStore: () => void;
}

function Link({ url }: { url: string }) {
  const copy = async () => {
    if (await copyText(url)) notice.success('授权链接已复制，10 分钟内有效');
  };
  return (
    <div className="field">
      <span>授权链接（10 分钟内有效，只能使用一次）</span>
      <div className="consent-link">
        <Input readOnly value={url} aria-label="授权链接" onFocus={(event) => event.target.select()} />
        <Button icon={<CopyOutlined />} onClick={() => void copy()}>
          复制
        </Button>
      </div>
    </div>
  );
}

/** 店铺授权: store and site, the warning about the network, then the consent page of the marketplace. */
export function AuthoriseDialog({ target, stores, onClose, onNewStore }: Props) {
  const { account } = target;
  const only = stores.length === 1 ? stores[0]?.groupid : undefined;
  const [storeId, setStoreId] = useState(account?.storeId ?? target.storeId ?? only);
  const [site, setSite] = useState(account?.countrysList[0]?.marketplaceId);
  const [url, setUrl] = useState<string>();
  const send = useSend(authUrl, { onSuccess: setUrl });
  const ready = storeId !== undefined && site !== undefined;
  const ask = () => {
    if (!ready) return;
    send.mutate({ query: { groupid: storeId, marketplaceId: site, ...(account ? { authid: account.authid } : {}) } });
  };
  const choose =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setUrl(undefined);
    };
  return (
    <Modal
      open
      width={560}
      title={account ? `续期授权 ${account.gname}` : '店铺授权'}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          {url ? (
            <Button type="primary" icon={<ExportOutlined />} href={url}>
              登录亚马逊授权
            </Button>
          ) : (
            <Button type="primary" disabled={!ready} loading={send.isPending} onClick={ask}>
              获取授权链接
            </Button>
          )}
        </>
      }
    >
      <div className="dialog-form">
        <p className="note is-danger">
          <WarningFilled />
          <span>请确保当前电脑和网络是该店铺的常用环境，以免店铺关联。也可以复制链接，到常用环境中打开。</span>
        </p>
        <div className="field">
          <span>
            店铺名称
            {!account && (
              <button type="button" className="link" style={{ float: 'right' }} onClick={onNewStore}>
                新增店铺
              </button>
            )}
          </span>
          <Select
            aria-label="店铺名称"
            placeholder="请选择店铺"
            disabled={account !== undefined}
            options={stores.map((store) => ({ value: store.groupid, label: store.gname }))}
            {...(storeId === undefined ? {} : { value: storeId })}
            onChange={choose(setStoreId)}
          />
        </div>
        <div className="field">
          <span>站点（选择一个站点，授权对同一区域的全部站点有效）</span>
          <SitePicker value={site} region={account?.region} onChange={choose(setSite)} />
        </div>
        {url && <Link url={url} />}
      </div>
    </Modal>
  );
}
