import { DesktopOutlined, MobileOutlined, TabletOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/Time.tsx';
import { notice } from '#kit/web/notice.tsx';
import { closeDevice, type Device, listDevices } from '../../contract/self.ts';

const ICONS: Record<Device['kind'], typeof DesktopOutlined> = {
  desktop: DesktopOutlined,
  mobile: MobileOutlined,
  tablet: TabletOutlined,
  other: DesktopOutlined,
};

/** Where the account is logged in just now. */
export function Devices() {
  const { data } = useCall(listDevices, {});
  const close = useSend(closeDevice, { refreshes: [listDevices], onSuccess: () => notice.success('设备已下线') });
  return (
    <section className="self-devices" aria-label="登录设备">
      <h2>登录设备</h2>
      {(data ?? []).map((device) => {
        const Icon = ICONS[device.kind];
        return (
          <div className="self-row" key={device.id}>
            <Icon className="text3" />
            <div className="self-row-text">
              <b>
                {device.name} {device.current && <span className="label">当前设备</span>}
              </b>
              <span className="text3">
                {device.ip} · 最近使用 <When at={device.lastSeenAt} />
              </span>
            </div>
            {!device.current && (
              <Button size="small" onClick={() => close.mutate({ body: { id: device.id } })}>
                下线
              </Button>
            )}
          </div>
        );
      })}
    </section>
  );
}
