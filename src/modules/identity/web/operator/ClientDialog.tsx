import { Select } from 'antd';
import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { SCOPES } from '../../contract/oauth.ts';
import {
  addClient,
  ClientForm,
  type ClientRow,
  GRANTS,
  listClients,
  type Secret,
  saveClient,
} from '../../contract/operator.ts';

interface Props {
  /** The client that is edited, 'new' for another one; undefined: closed. */
  client: ClientRow | 'new' | undefined;
  onClose: () => void;
  onSecret: (made: Secret) => void;
}

function many(options: { value: string; label: string }[], mode: 'multiple' | 'tags' = 'multiple') {
  return ({ id, value, onChange }: { id: string; value: unknown; onChange: (value: unknown) => void }) => (
    <Select
      id={id}
      mode={mode}
      style={{ width: '100%' }}
      placeholder={mode === 'tags' ? '输入后按 Enter，可多个' : '请选择'}
      value={(value as string[] | undefined) ?? []}
      onChange={onChange}
      options={options}
      {...(mode === 'tags' ? { open: false, suffixIcon: null } : {})}
    />
  );
}

/** A program that may ask for a log-in; its secret is made by the server. */
export function ClientDialog({ client, onClose, onSecret }: Props) {
  const form = useForm(ClientForm, {});
  const { reset } = form;
  useEffect(() => {
    if (client === 'new') {
      reset({ scopes: ['openid', 'profile'], grants: ['authorization_code'], tokenSeconds: 7200, redirectUris: [] });
    } else if (client) {
      const { clientId, name, scopes, grants, tokenSeconds, redirectUris, autoApprove, state } = client;
      reset({
        clientId,
        name,
        scopes,
        grants,
        tokenSeconds,
        redirectUris,
        autoApprove,
        disabled: state === 'disabled',
      });
    }
  }, [client, reset]);
  const edits = client !== undefined && client !== 'new';
  return (
    <FormDialog
      title={edits ? '修改客户端' : '新增客户端'}
      open={client !== undefined}
      form={form}
      fields={{
        clientId: {
          disabled: edits,
          placeholder: '例如 report-portal',
          help: '小写字母、数字和短横线，新增后不能修改',
        },
        scopes: {
          render: many(Object.entries(SCOPES).map(([value, label]) => ({ value, label: `${value} ${label}` }))),
        },
        grants: { render: many(Object.entries(GRANTS).map(([value, label]) => ({ value, label }))) },
        tokenSeconds: { help: '60 至 86400 秒' },
        redirectUris: { span: 2, help: '须以 https:// 开头，逐字比较', render: many([], 'tags') },
        autoApprove: { help: '不再询问用户是否同意' },
        disabled: { hidden: !edits },
      }}
      onSubmit={async (body) => {
        const options = { quiet: true, idempotencyKey: uuid() };
        if (edits) {
          const { clientId: _fixed, ...rest } = body;
          const { id, version } = client;
          await call(saveClient, { params: { id }, body: { ...rest, version } }, options);
        } else onSecret(await call(addClient, { body }, options));
        await queryClient.invalidateQueries({ queryKey: cacheKey(listClients) });
      }}
      onClose={onClose}
    />
  );
}
