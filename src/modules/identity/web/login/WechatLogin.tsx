import { WechatOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { call, useCall } from '#kit/web/api/index.ts';
import { wechatAvailable, wechatLoginStart } from '../../contract/wechat.ts';
import { leaveForWechat } from '../self/wechat.ts';

/** Log-in by a scan; absent where WeChat is not set up. */
export function WechatLogin() {
  const { data: available } = useCall(wechatAvailable, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [busy, setBusy] = useState(false);
  if (!available) return null;
  const begin = async () => {
    setBusy(true);
    try {
      leaveForWechat('login', await call(wechatLoginStart, { body: {} }));
    } catch {
      setBusy(false);
    }
  };
  return (
    <Button size="large" block icon={<WechatOutlined />} loading={busy} onClick={() => void begin()}>
      微信扫码登录
    </Button>
  );
}
