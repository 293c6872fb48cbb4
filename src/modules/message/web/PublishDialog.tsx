import { Button, DatePicker, Input, Modal, Select } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useState } from 'react';
import { ApiError, useCall, useSend } from '#kit/web/api/index.ts';
import { useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  ACTIONS,
  Announcement,
  type Audience,
  addAnnounce,
  audienceOptions,
  countAnnouncements,
  listAnnouncements,
  PLANS,
  PREFIXES,
  TEAM_PREFIXES,
  USER_TYPES,
} from '../contract/announcements.ts';
import { Editor } from './Editor.tsx';
import { Rich } from './Rich.tsx';
import { refreshMessages } from './use-unread.ts';

export type Draft = Partial<Pick<Announcement, 'prefix' | 'title' | 'action' | 'content' | 'audience'>>;

/** What publishing is called: the platform speaks to all companies, a company to its own people. */
export const publishTitle = (platform: boolean) => (platform ? '发布系统公告' : '发布团队公告');

const choices = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
const named = (rows: readonly { id: string; name: string }[]) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

interface FieldProps {
  title: string;
  name: string;
  required?: boolean;
  error?: string | undefined;
  className?: string;
  children: ReactNode;
}

function Field({ title, name, required, error, className = '', children }: FieldProps) {
  return (
    <div className={`message-field ${className}`} data-field={name}>
      <span className="label">
        {title}
        {required && <span className="danger">*</span>}
      </span>
      {children}
      <span className="message-error" role={error ? 'alert' : undefined}>
        {error}
      </span>
    </div>
  );
}

type Form = ReturnType<typeof useForm<typeof Announcement>>;

function AudienceFields({ form }: { form: Form }) {
  const { data } = useCall(audienceOptions, {});
  const audience = (form.values.audience ?? {}) as Audience;
  const set = (part: Partial<Audience>) => form.set('audience', { ...audience, ...part });
  const many = (title: string, key: 'companies' | 'departments' | 'roles', none: string) => {
    const options = named(data?.[key] ?? []);
    if (options.length === 0) return null;
    return (
      <Field title={title} name={key}>
        <Select
          mode="multiple"
          aria-label={title}
          placeholder={none}
          maxTagCount="responsive"
          optionFilterProp="label"
          options={options}
          value={audience[key] ?? []}
          onChange={(value: string[]) => set({ [key]: value })}
        />
      </Field>
    );
  };
  return (
    <div className="is-wide message-form" style={{ gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' }}>
      {data?.platform && (
        <Field title="用户类型" name="plan">
          <Select
            aria-label="用户类型"
            options={choices(PLANS)}
            value={audience.plan ?? 'all'}
            onChange={(plan) => set({ plan })}
          />
        </Field>
      )}
      {many('公司', 'companies', '全部公司')}
      {many('部门', 'departments', '全部部门')}
      {many('角色', 'roles', '全部角色')}
      <Field title="账户类型" name="userTypes">
        <Select
          mode="multiple"
          aria-label="账户类型"
          placeholder="全部账户"
          maxTagCount="responsive"
          options={choices(USER_TYPES)}
          value={audience.userTypes ?? []}
          onChange={(userTypes) => set({ userTypes })}
        />
      </Field>
    </div>
  );
}

function Fields({ form, platform }: { form: Form; platform: boolean }) {
  const { values, errors, set } = form;
  const expiresAt = values.expiresAt as string | undefined;
  return (
    <div className="message-form">
      <Field title="标题前缀" name="prefix" error={errors.prefix}>
        <Select
          allowClear
          aria-label="标题前缀"
          placeholder="无"
          options={choices(platform ? PREFIXES : TEAM_PREFIXES)}
          value={values.prefix as string | undefined}
          onChange={(value) => set('prefix', value)}
        />
      </Field>
      <Field title="标题" name="title" required error={errors.title}>
        <Input
          aria-label="标题"
          maxLength={80}
          showCount
          status={errors.title ? 'error' : ''}
          value={(values.title as string | undefined) ?? ''}
          onChange={(event) => set('title', event.target.value)}
        />
      </Field>
      <Field title="消息类型" name="action" error={errors.action}>
        <Select
          aria-label="消息类型"
          options={choices(ACTIONS).map((each) => ({
            ...each,
            title: each.value === 'timely' ? '登录后弹出' : '只进入消息列表',
          }))}
          value={(values.action as string | undefined) ?? 'like'}
          onChange={(value) => set('action', value)}
        />
      </Field>
      <Field title="内容" name="content" required error={errors.content} className="is-wide">
        <Editor
          label="内容"
          initial={(values.content as string | undefined) ?? ''}
          wrong={errors.content !== undefined}
          onChange={(html) => set('content', html)}
        />
      </Field>
      <AudienceFields form={form} />
      <Field title="到期时间" name="expiresAt" error={errors.expiresAt} className="is-half">
        <DatePicker
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          aria-label="到期时间"
          placeholder="不到期，直到撤回"
          style={{ width: 260 }}
          minDate={dayjs()}
          value={expiresAt ? dayjs(expiresAt) : null}
          onChange={(value) => set('expiresAt', value ? value.toISOString() : undefined)}
        />
      </Field>
    </div>
  );
}

function Preview({ form }: { form: Form }) {
  const { prefix, title, content, action } = form.values as Draft;
  return (
    <article className="message-preview" aria-label="预览">
      <h2 className="message-head">
        {prefix ? PREFIXES[prefix] : ''}
        {title}
      </h2>
      <span className="label">
        {action === 'timely' ? '即时公告：登录后弹出，并进入系统消息' : '常规公告：进入系统消息'}
      </span>
      <Rich html={content ?? ''} />
    </article>
  );
}

/** Writes, shows and publishes an announcement, the platform's or a company's own. Mounted anew for each one. */
export function PublishDialog({ draft, platform, onClose }: { draft: Draft; platform: boolean; onClose: () => void }) {
  const form = useForm(Announcement, { action: 'like', audience: {}, ...draft });
  const [preview, setPreview] = useState(false);
  const send = useSend(addAnnounce, {
    quiet: true,
    refreshes: [listAnnouncements, countAnnouncements],
    onSuccess: () => {
      notice.success('公告已发布');
      refreshMessages('announcement');
      form.abandon();
      onClose();
    },
  });
  const checked = (go: (values: Announcement) => void) => {
    const values = form.check();
    if (values) go(values);
  };
  const publish = (values: Announcement) =>
    send.mutate(
      { body: values },
      {
        onError: (error) => {
          setPreview(false);
          if (!form.refuse(error) && error instanceof ApiError) notice.error(error.message);
        },
      },
    );
  const close = () => {
    form.abandon();
    onClose();
  };
  return (
    <Modal
      title={preview ? '预览公告' : publishTitle(platform)}
      open
      width={860}
      onCancel={close}
      mask={{ closable: !form.dirty }}
      footer={
        <div className="drawer-foot">
          <span className="label">发布后立即送达；撤回后从所有人的消息中移除</span>
          <span className="spring" />
          {preview ? (
            <Button onClick={() => setPreview(false)}>返回修改</Button>
          ) : (
            <>
              <Button onClick={close}>取消</Button>
              <Button onClick={() => checked(() => setPreview(true))}>预览</Button>
            </>
          )}
          <Button type="primary" loading={send.isPending} onClick={() => checked(publish)}>
            发布
          </Button>
        </div>
      }
    >
      {preview ? <Preview form={form} /> : <Fields form={form} platform={platform} />}
    </Modal>
  );
}
