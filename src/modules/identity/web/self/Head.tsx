import { CameraOutlined, EditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import type { TimeZones } from '#kit/contract/zones.ts';
import { cacheKey, call, queryClient, upload } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { menuRoute } from '../../contract/menus.ts';
import { SelfForm, saveImage, updateSelf, userDetail } from '../../contract/self.ts';
import { userInfo } from '../../contract/users.ts';
import { Portrait } from './Portrait.tsx';
import type { Detail } from './types.ts';

const MAX_BYTES = 2 * 1024 * 1024;

const KINDS: Record<Detail['usertype'], string> = {
  operator: '超级管理员',
  owner: '管理员',
  support: '客服',
  member: '常规账户',
};

/** What is shown of him, and the menu, which tells the zone of the company's days. */
function refresh(): void {
  for (const endpoint of [userDetail, userInfo, menuRoute])
    void queryClient.invalidateQueries({ queryKey: cacheKey(endpoint) });
}

async function sendPicture(file: File): Promise<void> {
  if (!/\.(png|jpe?g|bmp)$/i.test(file.name)) return notice.error('文件格式不支持，请上传 png、jpg、jpeg、bmp 图片');
  if (file.size > MAX_BYTES) return notice.error('文件不能超过2MB');
  await upload(saveImage, {}, file);
  notice.success('头像已更新');
  refresh();
}

function EditDialog({ user, onClose }: { user: Detail; onClose: () => void }) {
  const owner = user.usertype === 'owner';
  const form = useForm(SelfForm, {
    name: user.name,
    tel: user.tel ?? '',
    company: user.company,
    companyTimeZone: user.companyTimeZone as keyof typeof TimeZones,
  });
  const byOwner = { disabled: !owner, help: owner ? '' : '由管理员修改' };
  return (
    <FormDialog
      title="编辑个人信息"
      open
      form={form}
      columns={1}
      fields={{ company: byOwner, companyTimeZone: byOwner }}
      onSubmit={async (body) => {
        await call(updateSelf, { body: { ...body, tel: body.tel ?? '' } }, { quiet: true });
        notice.success('个人信息已保存');
        refresh();
      }}
      onClose={onClose}
    />
  );
}

/** Portrait, name and what the account is. */
export function Head({ user }: { user: Detail }) {
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onPicked = (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    void sendPicture(file)
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  return (
    <header className="self-head">
      <button
        type="button"
        className="self-portrait"
        aria-label="更换头像"
        aria-busy={busy}
        onClick={() => input.current?.click()}
      >
        <Portrait image={user.image} name={user.name} size={72} />
        <span className="self-portrait-mask">
          <CameraOutlined />
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".png,.jpg,.jpeg,.bmp"
        onChange={(event) => {
          onPicked(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <div className="self-who">
        <h1>
          <span className="ellipsis">{user.name}</span>
          <span className="self-kind">{KINDS[user.usertype]}</span>
        </h1>
        <dl>
          <div>
            <dt>账号</dt>
            <dd>{user.account}</dd>
          </div>
          <div>
            <dt>邮箱</dt>
            <dd>{user.email ?? '—'}</dd>
          </div>
          <div>
            <dt>公司</dt>
            <dd>{user.company}</dd>
          </div>
          <div>
            <dt>注册时间</dt>
            <dd>{dayjs(user.registeredAt).format('YYYY-MM-DD')}</dd>
          </div>
        </dl>
      </div>
      <Button icon={<EditOutlined />} onClick={() => setEditing(true)}>
        编辑个人信息
      </Button>
      {editing && <EditDialog user={user} onClose={() => setEditing(false)} />}
    </header>
  );
}
