import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MailBox } from '#test/support/mailbox.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { ConfigError, readConfig } from '../config.ts';
import { deliver } from '../messaging/deliver.ts';
import { post } from '../messaging/post.ts';
import { inSystem } from '../runtime.ts';

interface SmsCall {
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** Answers SendSms as the provider does; a number ending with 0000 is refused. */
function smsStandIn(calls: SmsCall[]): Server {
  return createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as { PhoneNumberSet: string[] };
    calls.push({ headers: request.headers, body });
    const bad = body.PhoneNumberSet[0]?.endsWith('0000');
    const status = bad
      ? { Code: 'LimitExceeded.PhoneNumberThirtySecondLimit', Message: 'too often' }
      : { Code: 'Ok', Message: 'send success' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Response: { SendStatusSet: [status], RequestId: 'r-1' } }));
  });
}

const mailBox = new MailBox();
const smsCalls: SmsCall[] = [];
const smsServer = smsStandIn(smsCalls);
let world: World;

beforeAll(async () => {
  const url = await mailBox.open();
  smsServer.listen(0, '127.0.0.1');
  await once(smsServer, 'listening');
  world = await createWorld({
    mail: { url, from: '跨境电商 ERP <erp@example.com>' },
    sms: {
      provider: 'tencent',
      secretId: 'AKID-test',
      secretKey: 'secret-test',
      appId: '1400000001',
      sign: '启航',
      templates: { default: '1001', register: '1002' },
      region: 'ap-guangzhou',
      endpoint: `http://127.0.0.1:${(smsServer.address() as AddressInfo).port}`,
    },
  });
});
afterAll(async () => {
  await world.close();
  await mailBox.close();
  smsServer.close();
});

const mail = {
  channel: 'email',
  target: 'li@example.com',
  purpose: 'notice',
  subject: '采购单被退回',
  text: '请修改价格',
} as const;

describe('mail', () => {
  test('arrives over SMTP with its sender, subject and words', async () => {
    await deliver(world.runtime, mail);
    const received = mailBox.mails.at(-1);
    expect(received).toMatchObject({ from: 'erp@example.com', to: ['li@example.com'] });
    const parsed = await PostalMime.parse(received?.raw ?? Buffer.alloc(0));
    expect(parsed.subject).toBe('采购单被退回');
    expect(parsed.from).toMatchObject({ name: '跨境电商 ERP', address: 'erp@example.com' });
    expect(parsed.text?.trim()).toBe('请修改价格');
  });

  test('a line break in the subject adds no header, a comma in the address no recipient', async () => {
    await deliver(world.runtime, { ...mail, subject: 'a\r\nBcc: evil@example.com' });
    const received = mailBox.mails.at(-1);
    expect(received?.to).toEqual(['li@example.com']);
    const parsed = await PostalMime.parse(received?.raw ?? Buffer.alloc(0));
    expect(parsed.headers.map((header) => header.key)).not.toContain('bcc');
    const before = mailBox.mails.length;
    await deliver(world.runtime, { ...mail, target: 'li@example.com, evil@example.com' }).catch(() => {});
    expect(mailBox.mails.slice(before).flatMap((sent) => sent.to)).not.toContain('evil@example.com');
  });

  test('posted in a transaction it leaves after the commit, and is tried again when turned away', async () => {
    const owner = await world.owner();
    await world.work();
    const before = mailBox.mails.length;
    await world.as(owner, (ctx) => post(ctx, { ...mail, subject: '已提交' }));
    await vi.waitFor(() => expect(mailBox.mails.length).toBe(before + 1), { timeout: PATIENCE_MS });
    const undone = world.as(owner, async (ctx) => {
      await post(ctx, { ...mail, subject: '未提交' });
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    mailBox.refuse = 1;
    await world.as(owner, (ctx) => post(ctx, { ...mail, subject: '第二次' }));
    await vi.waitFor(() => expect(mailBox.mails.length).toBe(before + 2), { timeout: PATIENCE_MS });
    const subjects = await Promise.all(mailBox.mails.slice(before).map((sent) => PostalMime.parse(sent.raw)));
    expect(subjects.map((parsed) => parsed.subject)).toEqual(['已提交', '第二次']);
  });
});

describe('SMS', () => {
  const sms = {
    channel: 'sms',
    target: '13800138001',
    purpose: 'register',
    text: '',
    params: ['123456', '5'],
  } as const;

  test('goes to the provider signed, with template, signature and parameters', async () => {
    await deliver(world.runtime, sms);
    const call = smsCalls.at(-1);
    expect(call?.headers).toMatchObject({
      'x-tc-action': 'SendSms',
      'x-tc-version': '2021-01-11',
      'x-tc-region': 'ap-guangzhou',
    });
    expect(call?.headers.authorization).toMatch(
      /^TC3-HMAC-SHA256 Credential=AKID-test\/\d{4}-\d\d-\d\d\/\w+\/tc3_request/,
    );
    expect(call?.body).toEqual({
      PhoneNumberSet: ['+8613800138001'],
      SmsSdkAppId: '1400000001',
      SignName: '启航',
      TemplateId: '1002',
      TemplateParamSet: ['123456', '5'],
    });
    await deliver(world.runtime, { ...sms, purpose: 'losepassword', target: '+14155550100' });
    expect(smsCalls.at(-1)?.body).toMatchObject({ TemplateId: '1001', PhoneNumberSet: ['+14155550100'] });
  });

  test('that the provider refuses is an error, not a success', async () => {
    await expect(deliver(world.runtime, { ...sms, target: '13800130000' })).rejects.toThrow(/LimitExceeded/);
  });
});

test('without a mail server and a provider, messages wait in the outbox that only the system reads', async () => {
  const bare = { ...world.runtime, config: { ...world.runtime.config, mail: undefined, sms: undefined } };
  await deliver(bare, { ...mail, target: 'outbox@example.com' });
  const read = (db: Parameters<Parameters<typeof inSystem>[1]>[0]) =>
    db
      .selectFrom('kit.outbox')
      .select(['channel', 'purpose', 'text'])
      .where('target', '=', 'outbox@example.com')
      .execute();
  expect(await inSystem(bare, read)).toEqual([{ channel: 'email', purpose: 'notice', text: '请修改价格' }]);
  const owner = await world.owner();
  expect(await world.as(owner, (ctx) => read(ctx.db))).toEqual([]);
});

describe('settings', () => {
  test.each([
    [{ MAIL_URL: 'http://mail' }, /MAIL_URL/],
    [{ MAIL_URL: 'smtp://mail' }, /MAIL_FROM/],
    [{ SMS_PROVIDER: 'pigeon' }, /SMS_PROVIDER/],
    [{ SMS_PROVIDER: 'tencent', SMS_SECRET_ID: 'x' }, /SMS_SECRET_KEY、SMS_APP_ID、SMS_SIGN、SMS_TEMPLATE/],
  ])('%j is refused in one line', (env, line) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(line);
  });

  test('one template or one by purpose', () => {
    const env = { SMS_PROVIDER: 'tencent', SMS_SECRET_ID: 'a', SMS_SECRET_KEY: 'b', SMS_APP_ID: 'c', SMS_SIGN: 'd' };
    expect(readConfig({ ...env, SMS_TEMPLATE: '7' }).sms?.templates).toEqual({ default: '7' });
    expect(readConfig({ ...env, SMS_TEMPLATE: '{"register":8}' }).sms?.templates).toEqual({ register: '8' });
  });
});
