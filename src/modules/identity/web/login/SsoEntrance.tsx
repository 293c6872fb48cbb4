import { SafetyCertificateOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ssoIsRun } from '../../contract/session.ts';
import { forgetRounds } from './rounds.ts';
import { leaveForSso } from './sso.ts';

/** The way through the company's own log-in; absent where there is none. */
export function SsoEntrance() {
  const { data: address } = useCall(ssoIsRun, { body: {} }, { staleTime: 10_000 });
  const [busy, setBusy] = useState(false);
  if (!address || !/^https?:\/\//.test(address)) return null;
  const begin = () => {
    setBusy(true);
    forgetRounds(sessionStorage);
    leaveForSso(address.replace(/\/$/, ''));
  };
  return (
    <Button size="large" block icon={<SafetyCertificateOutlined />} loading={busy} onClick={begin}>
      单点登录
    </Button>
  );
}
