import { ExportOutlined } from '@ant-design/icons';
import { Button, Modal, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, authUrl, bindSeller, type StoreRow, saveAuth } from '../../contract/stores.ts';
import { LinkField, NetworkWarning } from './LinkField.tsx';
import { EMPTY_PRIVATE, isComplete, PrivateForm } from './PrivateForm.tsx';
import { SitePicker } from './SitePicker.tsx';

/** What the consent is for: a store, or an account that is renewed. */
export type ConsentTarget = { storeId?: string | undefined; account?: AccountRow | undefined };

interface Props {
  target: ConsentTarget;
  stores: readonly StoreRow[];
  onClose: () => void;
  onNewStore: () => void;
}

type Kind = 'consent' | 'private';

const KINDS = [
  { value: 'consent' as const, label: '常规' },
  { value: 'private' as const, label: '高级（私有应用）' },
];

/**
 * 店铺授权: store and site, the warning about the network, then the consent page of the marketplace; or the credentials
 * of the seller's own application.
 */
export function AuthoriseDialog({ target, stores, onClose, onNewStore }: Props) {
  const { account } = target;
  const only = stores.length === 1 ? stores[0]?.groupid : undefined;
  const [kind, setKind] = useState<Kind>('consent');
  const [storeId, setStoreId] = useState(account?.storeId ?? target.storeId ?? only);
  const [site, setSite] = useState(account?.countrysList[0]?.marketplaceId);
  const [url, setUrl] = useState<string>();
  const [values, setValues] = useState({ ...EMPTY_PRIVATE, sellerid: account?.sellerid ?? '' });
  const send = useSend(authUrl, { onSuccess: setUrl });
  const save = useSend(saveAuth, {
    refreshes: [bindSeller],
    onSuccess: () => {
      notice.success('凭证已验证并保存，首次同步已开始');
      onClose();
    },
  });
  const ready = storeId !== undefined && site !== undefined;
  const ask = () => {
    if (!ready) return;
    send.mutate({ query: { groupid: storeId, marketplaceId: site, ...(account ? { authid: account.authid } : {}) } });
  };
  const keep = () => {
    if (!ready) return;
    const { proxyhost, proxyport, ...rest } = values;
    const proxy = { ...(proxyhost ? { proxyhost } : {}), ...(proxyport === null ? {} : { proxyport }) };
    save.mutate({ body: { groupid: storeId, marketplaceid: site, ...rest, ...proxy } });
  };
  const choose =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setUrl(undefined);
    };
  const action = () => {
    if (kind === 'private') {
      return (
        <Button type="primary" disabled={!ready || !isComplete(values)} loading={save.isPending} onClick={keep}>
          验证并保存
        </Button>
      );
    }
    if (url) {
      return (
        <Button type="primary" icon={<ExportOutlined />} href={url}>
          登录亚马逊授权
        </Button>
      );
    }
    return (
      <Button type="primary" disabled={!ready} loading={send.isPending} onClick={ask}>
        获取授权链接
      </Button>
    );
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
          {action()}
        </>
      }
    >
      <div className="dialog-form">
        <NetworkWarning />
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
        <div className="field">
          <span>类型</span>
          <Segmented aria-label="类型" options={KINDS} value={kind} onChange={choose(setKind)} />
        </div>
        {kind === 'private' && <PrivateForm values={values} onChange={setValues} />}
        {kind === 'consent' && url && <LinkField url={url} />}
      </div>
    </Modal>
  );
}
