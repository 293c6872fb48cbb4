import { WechatOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/Time.tsx';
import { notice } from '#kit/web/notice.tsx';
import { unbindWechat, wechatBindStart, wechatBound } from '../../contract/wechat.ts';
import type { Detail } from './types.ts';
import { leaveForWechat } from './wechat.ts';

/** What of WeChat stands for the account; binding goes over WeChat's page with the QR picture. */
export function WechatTab({ user }: { user: Detail }) {
  const { data } = useCall(wechatBound, {});
  const { modal } = App.useApp();
  const unbind = useSend(unbindWechat, { refreshes: [wechatBound], onSuccess: () => notice.success('微信已解绑') });
  const ask = (openid: string, nickname: string) =>
    modal.confirm({
      title: `解绑微信「${nickname}」？`,
      content: '解绑后不能再用该微信登录。',
      okText: '解绑',
      okButtonProps: { danger: true },
      onOk: () => unbind.mutateAsync({ body: { account: user.account, openid } }).catch(() => {}),
    });
  const begin = async () => leaveForWechat('bind', await call(wechatBindStart, { body: {} }));
  const identities = data?.identities ?? [];
  return (
    <div className="self-list">
      {identities.map((each) => (
        <div className="self-row" key={each.id}>
          <WechatOutlined className="self-wechat" />
          <div className="self-row-text">
            <b>{each.nickname ?? '微信用户'}</b>
            <span className="text3">
              绑定于 <When at={each.boundAt} />
            </span>
          </div>
          <Button size="small" onClick={() => ask(each.openid, each.nickname ?? '微信用户')}>
            解绑
          </Button>
        </div>
      ))}
      {data && identities.length === 0 && (
        <div className="self-empty">
          <WechatOutlined />
          <b>未绑定微信</b>
          <p className="text2">绑定后可在登录页用微信扫码登录。二维码 5 分钟内有效。</p>
          <Button type="primary" onClick={() => void begin().catch(() => {})}>
            微信扫码绑定
          </Button>
        </div>
      )}
    </div>
  );
}
