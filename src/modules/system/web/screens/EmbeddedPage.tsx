import { Button } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { frameSource } from '../../contract/frame.ts';
import { shellSettings } from '../../contract/shell.ts';

/** Enough for a site to work; it cannot lead this page elsewhere, and it is never this site itself. */
const MAY = 'allow-scripts allow-forms allow-same-origin allow-popups allow-downloads';

/** A page of an allowed site inside a tab. */
export default function EmbeddedPage() {
  const tab = useTab();
  const settings = useCall(shellSettings, {}, { staleTime: Number.POSITIVE_INFINITY });
  const wanted = new URLSearchParams(tab.address.split('?')[1] ?? '').get('src');
  if (settings.error) {
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} text="外部页面没有打开。" />;
  }
  if (!settings.data) return <div className="frame-loading" aria-busy="true" />;
  const src = frameSource(wanted, settings.data.frameHosts, window.location.host);
  if (!src) {
    return (
      <div className="message-screen" role="alert">
        <div className="message-screen-mark">未打开</div>
        <h1>不允许在系统内打开这个地址</h1>
        <p>只有管理员允许的外部网站才能在页签中打开。如需使用，请联系管理员把它加入允许列表。</p>
        <div className="message-screen-actions">
          <Button type="primary" onClick={tab.close}>
            关闭页签
          </Button>
        </div>
      </div>
    );
  }
  return <iframe className="embedded-page" src={src} title={tab.title} sandbox={MAY} referrerPolicy="no-referrer" />;
}
