import { ExportOutlined } from '@ant-design/icons';
import { Button, Modal, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { adsBindUrl } from '../../contract/ads.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import type { AccountRow, StoreRow } from '../../contract/stores.ts';
import { LinkField, NetworkWarning } from './LinkField.tsx';

interface Props {
  account: AccountRow | undefined;
  stores: readonly StoreRow[];
  onClose: () => void;
}

const REGIONS = (Object.entries(REGION_NAMES) as [Region, string][]).map(([value, label]) => ({ value, label }));

/** 广告授权: store and region, the warning about the network, then the consent page for advertising. */
export function AdsDialog({ account, stores, onClose }: Props) {
  const only = stores.length === 1 ? stores[0]?.groupid : undefined;
  const [storeId, setStoreId] = useState(account?.storeId ?? only);
  const [region, setRegion] = useState<Region>((account?.region as Region | undefined) ?? 'na');
  const [url, setUrl] = useState<string>();
  const send = useSend(adsBindUrl, { onSuccess: setUrl });
  const ask = () => {
    if (storeId) send.mutate({ query: { groupid: storeId, region } });
  };
  return (
    <Modal
      open
      width={560}
      title={account ? `广告授权 ${account.gname}` : '广告授权'}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          {url ? (
            <Button type="primary" icon={<ExportOutlined />} href={url}>
              登录亚马逊授权
            </Button>
          ) : (
            <Button type="primary" disabled={!storeId} loading={send.isPending} onClick={ask}>
              获取授权链接
            </Button>
          )}
        </>
      }
    >
      <div className="dialog-form">
        <NetworkWarning />
        <div className="field">
          <span>店铺名称</span>
          <Select
            aria-label="店铺名称"
            placeholder="请选择店铺"
            disabled={account !== undefined}
            options={stores.map((store) => ({ value: store.groupid, label: store.gname }))}
            {...(storeId === undefined ? {} : { value: storeId })}
            onChange={(next) => {
              setStoreId(next);
              setUrl(undefined);
            }}
          />
        </div>
        <div className="field">
          <span>区域（授权对该区域的全部国家有效）</span>
          <Segmented
            aria-label="区域"
            options={REGIONS}
            value={region}
            disabled={account !== undefined}
            onChange={(next) => {
              setRegion(next);
              setUrl(undefined);
            }}
          />
        </div>
        {url && <LinkField url={url} />}
      </div>
    </Modal>
  );
}
