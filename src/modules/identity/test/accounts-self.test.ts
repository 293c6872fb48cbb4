import { crc32, deflateSync } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureHead } from '#kit/server/pictures/head.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import {
  closeAccount,
  closeDevice,
  findOwnerAll,
  limitData,
  listDevices,
  saveImage,
  saveSubscription,
  sendSelfCode,
  subscriptions,
  updateAccountSelf,
  updateEmailSelf,
  updatePasswordSelf,
  updateSelf,
  userDetail,
  userImage,
  verifyPassword,
} from '../contract/self.ts';
import { userInfo } from '../contract/users.ts';
import { channelsOf } from '../server/index.ts';
import { eraseDue } from '../server/self/closure.ts';
import { deviceOf } from '../server/self/devices.ts';
import { codeOf, newPhone } from './outbox.ts';
import { knocks, login, PASSWORD, sessionOf } from './support.ts';

let world: World;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** As if the last codes had been asked for long ago. */
const later = () => admin.query("UPDATE identity.verify_code SET created_at = created_at - interval '2 days'");

async function send(person: Person, bytes: Buffer, fileName = 'me.png', type = 'image/png') {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n`;
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${saveImage.path}`,
    headers: { jsessionid: person.session, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  });
  return response.json<{ code: number; msg: string; data: { image: string; code: string } }>();
}

function picture(width: number, height: number, type: 'png' | 'jpeg' = 'png'): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#c03';
  context.fillRect(0, 0, width, height);
  return type === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg');
}

/** A PNG that says it is this large, with next to nothing in it. */
function claims(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', ihdr),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height, 0x7f);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(0, 6);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.fill(0, 30, 54);
  return bytes;
}

describe('what is one’s own', () => {
  test('is shown, and a name with markup stays text', async () => {
    const li = await world.owner('甲公司');
    const name = '<img src=x onerror=alert(1)>';
    expect(await li.call(updateSelf, { body: { name, tel: '13800001111', company: '甲公司（新）' } })).toBe('success');
    expect(await li.call(userDetail, {})).toMatchObject({
      name,
      tel: '13800001111',
      company: '甲公司（新）',
      usertype: 'owner',
      emailVerified: false,
      mfa: false,
      colleagues: 0,
    });
    expect(await li.call(userInfo, {})).toMatchObject({ name, company: '甲公司（新）' });
  });

  test('a name that is empty or too long, a telephone that is none, a company that is not the own one to name', async () => {
    const li = await world.owner('甲公司');
    const staff = await world.member(li, []);
    expect((await li.send(updateSelf, { body: { name: ' ' } })).status).toBe(400);
    expect((await li.send(updateSelf, { body: { name: 'x'.repeat(101) } })).status).toBe(400);
    expect((await li.send(updateSelf, { body: { name: '李', tel: 'javascript:1' } })).status).toBe(400);
    const answer = await staff.send(updateSelf, { body: { name: '张', company: '我的公司' } });
    expect(answer.msg).toBe('只有管理员可以修改公司名称');
    expect(await staff.call(updateSelf, { body: { name: '张', company: '甲公司' } })).toBe('success');
  });

  test('colleagues are those of the company; nobody is limited without a data scope', async () => {
    const li = await world.owner();
    const staff = await world.member(li, []);
    await world.owner('乙公司');
    const ids = (await staff.call(findOwnerAll, {})).map((each) => each.id).sort();
    expect(ids).toEqual([li.userId, staff.userId].sort());
    for (const type of ['owner', 'operations', 'home'] as const) {
      expect([type, await li.call(limitData, { query: { type } })]).toEqual([type, 'false']);
    }
    expect((await li.send(limitData, { query: { type: 'everything' as 'home' } })).status).toBe(400);
  });
});

test('each kind of limit is answered by itself', async () => {
  const li = await world.owner();
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  const dimensions = (names: string) =>
    admin.query(`UPDATE identity.company SET scope_dimensions = $2 WHERE company_id = $1`, [li.companyId, names]);
  const limitsOf = async (person: Person) => {
    const answers = [];
    for (const type of ['owner', 'operations', 'home'] as const) {
      answers.push(await person.call(limitData, { query: { type } }));
    }
    return answers.join();
  };
  const scope = (mode: string, dimension: string, person: Person) =>
    admin.query(`INSERT INTO identity.member_scope (company_id, member_id, dimension, mode) VALUES ($1, $2, $3, $4)`, [
      li.companyId,
      person.userId,
      dimension,
      mode,
    ]);
  await dimensions('{}');
  const [seesHome, plain] = [await world.member(li, ['dash:home:view']), await world.member(li, [])];
  expect(await limitsOf(seesHome)).toBe('false,false,false');
  expect(await limitsOf(plain)).toBe('false,false,true');
  await dimensions('{store,owner}');
  await scope('LIST', 'store', seesHome);
  const inCharge = await world.member(li, ['dash:home:view']);
  await scope('SELF', 'owner', inCharge);
  await expect.poll(() => limitsOf(seesHome)).toMatch(/^(true|false),true,false$/);
  await expect.poll(() => limitsOf(inCharge)).toMatch(/^true,(true|false),false$/);
  // Nothing limits the owner of the company, whatever is switched on.
  expect(await limitsOf(li)).toBe('false,false,false');
  await admin.end();
});

describe('portrait', () => {
  test('png, jpeg and bmp are drawn anew at 256 x 256 and read by colleagues only', async () => {
    const li = await world.owner();
    for (const bytes of [picture(600, 300), picture(20, 50, 'jpeg'), bitmap(40, 30)]) {
      const { code, data } = await send(li, bytes);
      expect(code).toBe(201);
      expect((await li.call(userInfo, {})).image).toBe(data.image);
      const id = data.image.split('/').at(-1) ?? '';
      const answer = await li.send(userImage, { params: { id } });
      expect(answer.headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      });
      const shown = await loadImage(answer.raw);
      expect([shown.width, shown.height]).toEqual([256, 256]);
      const other = await world.owner();
      expect((await other.send(userImage, { params: { id } })).status).toBe(404);
    }
  });

  test('what is hidden behind a picture does not survive', async () => {
    const li = await world.owner();
    const script = '<script>alert(document.cookie)</script>';
    const { code, data } = await send(li, Buffer.concat([picture(50, 50), Buffer.from(script)]));
    expect(code).toBe(201);
    const answer = await li.send(userImage, { params: { id: data.image.split('/').at(-1) ?? '' } });
    expect(answer.raw.includes('script')).toBe(false);
  });

  test('other files, whatever they are called, are refused', async () => {
    const li = await world.owner();
    const others = {
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      gif: Buffer.from('GIF89a/*<script>*/=1;'),
      both: Buffer.concat([Buffer.from('GIF89a'), picture(10, 10)]),
      cut: picture(10, 10).subarray(0, 40),
      wordsAfterMagic: Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('no picture at all, only words')]),
      empty: Buffer.alloc(0),
      zip: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(200)]),
    };
    for (const [name, bytes] of Object.entries(others)) {
      const answer = await send(li, bytes, 'me.png', 'image/png');
      expect([name, answer.code, answer.msg]).toEqual([name, 400, '文件格式不支持，请上传 png、jpg、jpeg、bmp 图片']);
    }
    expect((await li.call(userInfo, {})).image).toBeNull();
  });

  test('too many bytes or points are refused before anything is decoded', async () => {
    const li = await world.owner();
    expect((await send(li, Buffer.concat([picture(9, 9), Buffer.alloc(2_200_000)]))).msg).toBe('文件不能超过2MB');
    const started = performance.now();
    for (const [width, height] of [
      [60_000, 60_000],
      [4097, 1],
      [1, 2 ** 31],
    ] as const) {
      expect((await send(li, claims(width, height))).msg).toMatch(/^图片尺寸不能超过/);
    }
    expect(performance.now() - started).toBeLessThan(2000);
    expect(pictureHead(claims(70, 80))).toMatchObject({ kind: 'png', width: 70, height: 80 });
    expect(pictureHead(picture(70, 80, 'jpeg'))).toMatchObject({ kind: 'jpeg', width: 70, height: 80 });
  });

  test('another file of the company is no portrait', async () => {
    const li = await world.owner();
    const { rows } = await admin.query<{ id: string }>(
      `INSERT INTO kit.file (company_id, name, media_type, size, sha256, purpose) VALUES ($1, 'x', 'text/html', 1, $2, 'export') RETURNING id`,
      [li.companyId, 'a'.repeat(64)],
    );
    expect((await li.send(userImage, { params: { id: rows[0]?.id ?? '' } })).status).toBe(404);
  });
});

describe('password', () => {
  test('the old one opens the way to a new one; other sessions end', async () => {
    const li = await world.owner();
    const { account } = await li.call(userDetail, {});
    const elsewhere = await sessionOf(world.app, account);
    expect(await li.call(verifyPassword, { body: { password: PASSWORD } })).toBe('success');
    const body = { account, oldpassword: PASSWORD, password: 'Birnbaum-7931' };
    expect(await li.call(updatePasswordSelf, { body })).toBe('success');
    expect(await knocks(world.app, elsewhere)).toBe('A0200');
    expect(await knocks(world.app, li.session)).toBe('in');
    expect((await login(world.app, account)).msg).toBe('账号或密码错误');
    expect((await login(world.app, account, 'Birnbaum-7931')).code).toBe(201);
  });

  test('a wrong old one, a weak new one, somebody else’s account are refused, and guessing locks', async () => {
    const li = await world.owner();
    const send = (oldpassword: string, password: string, account?: string) =>
      li.send(updatePasswordSelf, { body: { oldpassword, password, ...(account ? { account } : {}) } });
    expect((await send(PASSWORD, 'schwach')).status).toBe(400);
    expect((await send(PASSWORD, PASSWORD)).msg).toContain('最近5次');
    expect((await send(PASSWORD, 'Birnbaum-7931', 'other@example.com')).msg).toBe('账号与当前登录账号不一致');
    for (let i = 0; i < 5; i += 1) expect((await send('falsch', 'Birnbaum-7931')).msg).toBe('账号或密码错误');
    expect((await li.send(verifyPassword, { body: { password: PASSWORD } })).msg).toMatch(/^密码错误次数过多/);
  });

  test('a company under the stricter profile asks for more', async () => {
    const li = await world.owner();
    await admin.query("INSERT INTO identity.security_policy (company_id, password_profile) VALUES ($1, 'amazonDpp')", [
      li.companyId,
    ]);
    const send = (password: string) => li.send(updatePasswordSelf, { body: { oldpassword: PASSWORD, password } });
    expect((await send('Birnbaum-7931')).msg).toBe('公司安全策略要求密码使用满1天后才能修改');
    await admin.query(
      "UPDATE identity.member SET password_changed_at = kit.now() - interval '2 days' WHERE company_id = $1",
      [li.companyId],
    );
    expect((await send('Birne-793')).msg).toContain('至少12位');
    expect((await send('birnbaum-7931')).msg).toContain('至少12位');
    expect((await send('Birnbaum-7931')).code).toBe(201);
    const { account } = await li.call(userDetail, {});
    await admin.query(
      "UPDATE identity.member SET password_changed_at = kit.now() - interval '366 days' WHERE company_id = $1",
      [li.companyId],
    );
    expect((await login(world.app, account, 'Birnbaum-7931')).msg).toContain('超过365天');
  });
});

describe('account and e-mail', () => {
  test('another account takes the password, a code to the old and a code to the new one', async () => {
    const li = await world.owner();
    const { account } = await li.call(userDetail, {});
    const elsewhere = await sessionOf(world.app, account);
    const phone = newPhone();
    const oldkey = await li.call(sendSelfCode, { body: { purpose: 'old' } });
    const key = await li.call(sendSelfCode, { body: { purpose: 'account', target: phone } });
    const [oldcode, code] = [await codeOf(world, account), await codeOf(world, phone)];
    const body = { password: PASSWORD, oldkey, oldcode, account: phone, key, code };
    expect((await li.send(updateAccountSelf, { body: { ...body, password: 'falsch' } })).msg).toBe('账号或密码错误');
    expect((await li.send(updateAccountSelf, { body: { ...body, oldkey: key, oldcode: code } })).msg).toBe(
      '验证码错误或已失效',
    );
    expect(await li.call(updateAccountSelf, { body })).toBe('success');
    expect((await li.call(userDetail, {})).account).toBe(phone);
    expect(await knocks(world.app, elsewhere)).toBe('A0200');
    expect((await login(world.app, phone)).code).toBe(201);
    expect((await login(world.app, account)).msg).toBe('账号或密码错误');
    expect((await li.send(updateAccountSelf, { body })).code).toBe(400);
  });

  test('somebody’s account is named only to who got its code; a code of another target is worth nothing', async () => {
    const [li, victim] = [await world.owner(), await world.owner()];
    const { account } = await li.call(userDetail, {});
    const { account: theirs } = await victim.call(userDetail, {});
    const oldkey = await li.call(sendSelfCode, { body: { purpose: 'old' } });
    const oldcode = await codeOf(world, account);
    const mine = newPhone();
    const key = await li.call(sendSelfCode, { body: { purpose: 'account', target: mine } });
    const body = { password: PASSWORD, oldkey, oldcode, account: theirs, key, code: await codeOf(world, mine) };
    expect((await li.send(updateAccountSelf, { body })).msg).toBe('验证码错误或已失效');
    const theirKey = await li.call(sendSelfCode, { body: { purpose: 'account', target: theirs } });
    const known = { ...body, key: theirKey, code: await codeOf(world, theirs) };
    expect((await li.send(updateAccountSelf, { body: known })).msg).toBe('该账号已被使用');
    expect((await li.send(sendSelfCode, { body: { purpose: 'account', target: 'x@y' } })).msg).toBe('请输入正确的邮箱');
    expect((await li.send(sendSelfCode, { body: { purpose: 'account', target: '12' } })).msg).toBe(
      '请输入正确的手机号',
    );
    expect((await li.send(sendSelfCode, { body: { purpose: 'email' } })).msg).toBe('邮箱不能为空');
  });

  test('an address counts once its code came back', async () => {
    const li = await world.owner();
    const email = `li-${li.userId}@example.com`;
    const key = await li.call(sendSelfCode, { body: { purpose: 'email', target: email } });
    expect((await li.send(sendSelfCode, { body: { purpose: 'email', target: email } })).status).toBe(429);
    const code = await codeOf(world, email);
    expect((await li.send(updateEmailSelf, { body: { email: 'other@example.com', key, code } })).msg).toBe(
      '验证码错误或已失效',
    );
    expect(await li.call(updateEmailSelf, { body: { email, key, code } })).toBe('success');
    expect(await li.call(userDetail, {})).toMatchObject({ email, emailVerified: true });
    expect((await li.send(updateEmailSelf, { body: { email, key, code } })).msg).toBe('验证码错误或已失效');
  });
});

describe('devices', () => {
  test('are named by browser and system, and another one can be ended', async () => {
    const li = await world.owner();
    const { account } = await li.call(userDetail, {});
    const elsewhere = await sessionOf(world.app, account);
    const list = await li.call(listDevices, {});
    expect(list.map((each) => each.current).sort()).toEqual([false, true]);
    const other = list.find((each) => !each.current)?.id ?? '';
    expect(await li.call(closeDevice, { body: { id: other } })).toBe('success');
    expect(await knocks(world.app, elsewhere)).toBe('A0200');
    expect(await li.call(listDevices, {})).toHaveLength(1);
  });

  test('the own one, a stranger’s and an unknown one are refused', async () => {
    const [li, other] = [await world.owner(), await world.owner()];
    const [mine] = await li.call(listDevices, {});
    const [theirs] = await other.call(listDevices, {});
    expect((await li.send(closeDevice, { body: { id: mine?.id ?? '' } })).msg).toBe('当前设备请使用退出登录');
    expect((await li.send(closeDevice, { body: { id: theirs?.id ?? '' } })).status).toBe(404);
    expect(await knocks(world.app, other.session)).toBe('in');
  });

  test('user agents in words', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
    expect(deviceOf(chrome)).toEqual({ name: 'Chrome 130 · Windows 10', kind: 'desktop' });
    expect(deviceOf('')).toEqual({ name: '未知设备', kind: 'other' });
    expect(deviceOf('<script>alert(1)</script>').name).not.toContain('<');
  });
});

describe('closing an account', () => {
  async function wish(person: Person, company?: string) {
    const { account } = await person.call(userDetail, {});
    const key = await person.call(sendSelfCode, { body: { purpose: 'closeaccount' } });
    const body = { password: PASSWORD, key, code: await codeOf(world, account), ...(company ? { company } : {}) };
    return { account, body };
  }

  test('an owner has seven days; a log-in takes it back', async () => {
    const li = await world.owner('要注销的公司');
    const { account, body } = await wish(li, '要注销的公司');
    expect((await li.send(closeAccount, { body: { ...body, company: '别的公司' } })).msg).toBe(
      '请输入公司名称以确认注销',
    );
    const { effectiveAt } = await li.call(closeAccount, { body });
    expect(Date.parse(effectiveAt) - worldClock().ms()).toBeGreaterThan(6.9 * 86_400_000);
    expect(await knocks(world.app, li.session)).toBe('A0200');
    expect((await login(world.app, account)).code).toBe(201);
    const { rows } = await admin.query('SELECT FROM identity.closure WHERE company_id = $1', [li.companyId]);
    expect(rows).toEqual([]);
  });

  test('after that who he was is gone; what he did stays in the log', async () => {
    const li = await world.owner('消失的公司');
    const { account, body } = await wish(li, '消失的公司');
    await li.call(closeAccount, { body });
    await admin.query(
      "UPDATE identity.closure SET effective_at = kit.now() - interval '1 second' WHERE company_id = $1",
      [li.companyId],
    );
    // Once the days are over nobody comes in to take it back.
    expect((await login(world.app, account)).msg).toBe('账号已注销');
    expect(await eraseDue(world.runtime)).toBe(1);
    expect(await eraseDue(world.runtime)).toBe(0);
    expect((await login(world.app, account)).msg).toBe('账号或密码错误');
    const { rows } = await admin.query<{ text: string; audits: number }>(
      `SELECT coalesce((SELECT string_agg(m::text, ' ') FROM identity.member m WHERE company_id = $1), '')
           || (SELECT string_agg(c::text, ' ') FROM identity.company c WHERE company_id = $1) AS text,
              (SELECT count(*)::int FROM kit.audit WHERE company_id = $1) AS audits`,
      [li.companyId],
    );
    expect(rows[0]?.text).not.toContain(account);
    expect(rows[0]?.text).not.toContain('消失的公司');
    expect(rows[0]?.audits).toBeGreaterThan(1);
  });

  test('an owner whose people still work stays; one of them may leave at once', async () => {
    const li = await world.owner('大公司');
    const staff = await world.member(li, []);
    await later();
    const owner = await wish(li, '大公司');
    expect((await li.send(closeAccount, { body: owner.body })).msg).toBe('公司下仍有正常使用的子账号，请先停用或删除');
    const { account, body } = await wish(staff);
    expect((await staff.send(closeAccount, { body: { ...body, password: 'falsch' } })).msg).toBe('账号或密码错误');
    await staff.call(closeAccount, { body });
    expect((await login(world.app, account)).msg).toBe('账号或密码错误');
    expect(await li.call(closeAccount, { body: owner.body })).toHaveProperty('effectiveAt');
  });
});

describe('subscriptions', () => {
  test('each event has its own channels, which other modules can ask for', async () => {
    const li = await world.owner();
    const staff = await world.member(li, []);
    const [first] = await li.call(subscriptions, {});
    const event = first?.event ?? '';
    expect(first?.channels).toMatchObject({ site: true, email: true, wechat: false });
    await li.call(saveSubscription, { body: { event, channel: 'email', wanted: false } });
    await li.call(saveSubscription, { body: { event, channel: 'wechat', wanted: true } });
    const chosen = await world.as(li, (ctx) => channelsOf(ctx, [li.userId, staff.userId], event));
    expect(chosen.get(li.userId)).toEqual(['site', 'wechat']);
    expect(chosen.get(staff.userId)).toEqual(['site', 'email']);
    expect(await world.as(li, (ctx) => channelsOf(ctx, [li.userId], 'unknown.event'))).toEqual(
      new Map([[li.userId, ['site']]]),
    );
  });

  test('unknown events and channels are refused', async () => {
    const li = await world.owner();
    expect(
      (await li.send(saveSubscription, { body: { event: 'no.such', channel: 'site', wanted: true } })).status,
    ).toBe(404);
    const body = { event: 'identity.newDevice', channel: 'pigeon' as 'site', wanted: true };
    expect((await li.send(saveSubscription, { body })).status).toBe(400);
  });
});
