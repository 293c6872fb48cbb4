import { LeftOutlined } from '@ant-design/icons';
import { Button, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { ApiError, call, messageOf, uuid } from '#kit/web/api/index.ts';
import { StoreName, Tag } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import {
  type AplusDetail,
  AplusState,
  discardAplus,
  pushAplus,
  reloadAplus,
  Step,
  submitAplus,
  suspendAplus,
  validateAplus,
} from '../contract/documents.ts';
import { MODULE_TYPES, MOST_MODULES, type ModuleType, moduleOf, NAME_LENGTH } from '../contract/modules.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { ModuleForm } from './editor/ModuleForm.tsx';
import { duplicated, moved, newModule } from './editor/modules.ts';
import { Preview } from './preview/Preview.tsx';
import { MediaBase } from './preview/use-picture.ts';
import { RelateDialog } from './RelateDialog.tsx';
import { refreshAplus } from './refresh.ts';
import { useContent } from './use-content.ts';

const TYPES = MODULE_TYPES.map((type) => ({ value: type, label: moduleOf(type).title }));

const isChanged = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 409 &&
  Boolean((error.data as { changed?: boolean } | null | undefined)?.changed);

/** The editor of a document: its modules on the left, how they look on the right, and its way to Amazon below. */
export function AplusPage({ detail }: { detail: AplusDetail }) {
  const tab = useTab();
  const { id, may } = detail;
  const { content, put, putModules, dirty, problems, save } = useContent(detail);
  const [current, setCurrent] = useState(0);
  const [busy, setBusy] = useState('');
  const [relating, setRelating] = useState(false);
  const [copying, setCopying] = useState(false);
  const [changed, setChanged] = useState(false);
  useDirty(dirty);
  const { modules } = content;

  /** Saves first what was written, then takes the step. */
  const take = async (name: string, step: (version: number) => Promise<string>): Promise<void> => {
    if (busy !== '') return;
    setBusy(name);
    try {
      notice.success(await step(await save()));
    } catch (error) {
      if (isChanged(error)) setChanged(true);
      else if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy('');
      await refreshAplus();
    }
  };
  const send = { quiet: true, idempotencyKey: uuid() };
  const keep = () => take('save', async () => '草稿已保存');
  const push = () =>
    take('push', async (version) => {
      await call(pushAplus, { body: { id, version } }, send);
      return '已提交，亚马逊显示后更新';
    });
  const check = () =>
    take('check', async (version) => {
      const asins = detail.related.map(({ asin }) => asin);
      const { issues } = await call(validateAplus, { body: { id, version, asins } }, send);
      const errors = issues.filter(({ severity }) => severity === 'ERROR').length;
      return errors === 0 ? '校验通过' : `校验未通过：${errors} 个错误，见上方问题`;
    });
  const submit = () =>
    take('submit', async (version) => {
      await call(submitAplus, { body: { id, version } }, send);
      return '已提交审核，结果会自动更新';
    });
  const suspend = () =>
    Modal.confirm({
      title: '下线这份A+内容？',
      content: '会从所有关联 ASIN 的商品页撤下，文档和关联保留，重新提交审核后可再次发布。',
      okText: '下线',
      okButtonProps: { danger: true },
      onOk: () =>
        take('suspend', async (version) => {
          await call(suspendAplus, { body: { id, version } }, send);
          return '已提交下线';
        }),
    });
  const discard = () =>
    Modal.confirm({
      title: detail.contentKey === null ? '删除这份本地草稿？' : '放弃本地的修改？',
      okText: detail.contentKey === null ? '删除' : '放弃',
      okButtonProps: { danger: true },
      onOk: async () => {
        await take('discard', async () => {
          await call(discardAplus, { body: { id, version: detail.version } }, send);
          return '已放弃';
        });
        if (detail.contentKey === null) tab.close();
      },
    });
  const reload = (side: 'mine' | 'theirs') =>
    take('reload', async (version) => {
      await call(reloadAplus, { body: { id, version, keep: side } }, send);
      setChanged(false);
      return side === 'mine' ? '已保留您的修改，保存时会覆盖亚马逊的内容' : '已采用亚马逊的内容';
    });
  const button = (name: string, possible = true) => ({
    loading: busy === name,
    disabled: !possible || (busy !== '' && busy !== name),
  });
  const state = metaOf(AplusState).states?.[detail.state];
  const step = detail.step && metaOf(Step).states?.[detail.step];
  const disabled = !may.edit;
  const add = (type: ModuleType) => {
    putModules([...modules, newModule(type)]);
    setCurrent(modules.length);
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{detail.name}</h1>
        {state && <Tag tone={state.tone} title={state.title} />}
        {step && <Tag tone="running" title={`${step.title}中`} />}
        <span className="divider" />
        <span className="document-subject ellipsis">
          <StoreName store={detail.store} /> · 关联 {detail.related.length} 个 ASIN
          {detail.problem && ` · ${detail.problem}`}
        </span>
        <span className="spring" />
        <Button size="small" onClick={() => setCopying(true)}>
          复制到其他站点/语言
        </Button>
      </div>
      <div className="document-content">
        <div className="aplus-editor">
          <div className="aplus-left">
            {detail.unreadable && <p className="aplus-bad">{detail.unreadable}</p>}
            {!dirty && detail.issues.length > 0 && (
              <ul className="aplus-problems" aria-label="亚马逊报告的问题">
                {detail.issues.map(({ label, message, module, severity }) => (
                  <li key={`${label} ${message}`} className={severity === 'ERROR' ? 'aplus-bad' : ''}>
                    <button type="button" className="link" onClick={() => module >= 0 && setCurrent(module)}>
                      {label ? `${label}：${message}` : message}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <span className="aplus-line">
              <Input
                aria-label="名称"
                placeholder="名称（买家看不到）"
                value={content.name}
                count={{ show: true, max: NAME_LENGTH }}
                disabled={disabled}
                onChange={({ target }) => put({ name: target.value })}
              />
              <Select
                aria-label="语言"
                value={content.locale}
                options={detail.locales.map((locale) => ({ value: locale, label: locale }))}
                disabled={disabled || detail.contentKey !== null}
                onChange={(locale) => put({ locale })}
              />
            </span>
            <MediaBase.Provider value={detail.mediaBase}>
              {modules.map((module, index) => (
                <ModuleForm
                  key={module.id}
                  documentId={id}
                  module={module}
                  index={index}
                  count={modules.length}
                  open={index === current}
                  problems={problems.filter((one) => one.module === index)}
                  disabled={disabled}
                  mayDuplicate={modules.length < MOST_MODULES}
                  onOpen={() => setCurrent(index === current ? -1 : index)}
                  onChange={(next) => putModules(modules.map((one) => (one === module ? next : one)))}
                  onMove={(by) => {
                    putModules(moved(modules, index, by));
                    setCurrent(index + by);
                  }}
                  onDuplicate={() => putModules(duplicated(modules, index))}
                  onDelete={() => putModules(modules.filter((one) => one !== module))}
                />
              ))}
            </MediaBase.Provider>
            {!disabled && modules.length < MOST_MODULES && (
              <div className="aplus-add">
                <Select<ModuleType | null>
                  aria-label="添加模块"
                  placeholder={`添加模块（${modules.length}/${MOST_MODULES}）`}
                  value={null}
                  options={TYPES}
                  showSearch={{ optionFilterProp: 'label' }}
                  onChange={(type) => type && add(type)}
                />
              </div>
            )}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and whoever has no mouse scrolls it with the keys */}
          <section className="aplus-right" aria-label="预览" tabIndex={0}>
            <Preview modules={modules} mediaBase={detail.mediaBase} current={current} onPick={setCurrent} />
          </section>
        </div>
      </div>
      <footer className="action-bar">
        {may.edit && (detail.draft !== null || detail.contentKey === null) && (
          <Button danger {...button('discard')} onClick={discard}>
            {detail.contentKey === null ? '删除草稿' : '放弃修改'}
          </Button>
        )}
        {may.suspend && (
          <Button danger {...button('suspend')} onClick={suspend}>
            下线
          </Button>
        )}
        <span className="spring" />
        {!may.edit && detail.state === 'SUBMITTED' && (
          <span className="label">亚马逊审核期间不能修改，结果会自动更新</span>
        )}
        {may.edit && problems.length > 0 && (
          <span className="label">{problems.length} 个问题，修正后才能保存到亚马逊</span>
        )}
        {may.edit && (
          <>
            <Button data-save {...button('save', dirty)} onClick={() => void keep()}>
              保存草稿
            </Button>
            <Button {...button('check', problems.length === 0)} onClick={() => void check()}>
              校验
            </Button>
            <Button
              type={may.submit ? 'default' : 'primary'}
              {...button('push', (dirty || may.push) && problems.length === 0)}
              onClick={() => void push()}
            >
              保存到亚马逊
            </Button>
          </>
        )}
        {may.relate && (
          <Button {...button('relate', !dirty)} onClick={() => setRelating(true)}>
            关联ASIN
          </Button>
        )}
        {may.submit && (
          <Button type="primary" {...button('submit', !dirty)} onClick={() => void submit()}>
            提交审核
          </Button>
        )}
      </footer>
      {relating && <RelateDialog detail={detail} onClose={() => setRelating(false)} />}
      {copying && (
        <CopyDialog source={{ id, name: detail.name, locale: content.locale }} onClose={() => setCopying(false)} />
      )}
      <Modal
        open={changed}
        title="文档已在卖家后台被修改"
        onCancel={() => setChanged(false)}
        footer={
          <>
            <Button onClick={() => void reload('mine')}>保留我的修改</Button>
            <Button type="primary" onClick={() => void reload('theirs')}>
              采用亚马逊的内容
            </Button>
          </>
        }
      >
        没有覆盖。重新读取后，可以放弃本地修改、采用亚马逊的内容，或保留本地修改再保存。
      </Modal>
    </div>
  );
}
