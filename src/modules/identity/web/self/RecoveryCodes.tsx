import { CopyOutlined, DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { keep } from '#kit/web/api/files.ts';
import { notice } from '#kit/web/notice.tsx';

/** The codes that let somebody in without his phone; shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notice.success('已复制'),
      () => notice.error('复制失败，请手动抄录'),
    );
  return (
    <section className="recovery" aria-label="恢复码">
      <div className="note is-warning">
        请妥善保存恢复码：手机不在身边时可用来登录，每个只能使用一次，关闭后不再显示。
      </div>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-actions">
        <Button size="small" icon={<CopyOutlined />} onClick={() => void copy()}>
          复制
        </Button>
        <Button
          size="small"
          icon={<DownloadOutlined />}
          onClick={() => keep(new Blob([text], { type: 'text/plain' }), '恢复码.txt')}
        >
          下载
        </Button>
      </div>
    </section>
  );
}
