import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ATTACHMENT_BYTES, ATTACHMENTS } from '#kit/contract/document-notes.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { requestData, requestNotes, requestSteps, saveRequest } from '../contract/requests.ts';

let world: World;
let owner: Person;
let clerk: Person;
let chief: Person;
let supplier: string;
let id: string;

const VIEW = ['fin:account:view', 'fin:payreq:view'];

async function requested(): Promise<string> {
  const lines = [{ title: '货款', amount: '1200' }];
  const body = { kind: 'DEPOSIT' as const, party: { kind: 'SUPPLIER' as const, id: supplier }, lines };
  return (await clerk.call(saveRequest, { body })).id;
}

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  clerk = await world.member(owner, [...VIEW, 'fin:payreq:apply']);
  chief = await world.member(owner, [...VIEW, 'fin:payreq:approve']);
  supplier = (await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } })).id;
  id = await requested();
  await clerk.call(requestSteps.submit, { body: { id } });
});

const put = (person: Person, name: string, bytes: Buffer | string = '%PDF-1.7') =>
  uploadAs(world, person, requestNotes.attach, { id }, { name, bytes });
const files = (person: Person) => person.call(requestNotes.attachments, { params: { id } });
const timeline = async () => (await owner.call(requestData, { params: { id } })).timeline;
const remindersOf = async (person: Person) =>
  (await person.call(getRemind, { body: {} })).records.filter((one) => one.title.includes('评论'));

describe('comments', () => {
  it('stand in the timeline with their writer, and reach those who took part, but not the writer', async () => {
    await chief.call(requestNotes.comment, { body: { id, text: '发票抬头不对' } });
    expect((await timeline())[0]).toMatchObject({ kind: 'comment', body: '发票抬头不对' });
    const [told] = await remindersOf(clerk);
    expect(told?.title).toMatch(/评论了请款单/);
    expect(told?.text).toContain('发票抬头不对');
    expect(await remindersOf(chief)).toEqual([]);
    await clerk.call(requestNotes.comment, { body: { id, text: '已经重开' } });
    expect(await remindersOf(chief)).toHaveLength(1);
  });

  it('are not told to somebody who may not read such documents any more', async () => {
    await world.as(owner, (ctx) =>
      ctx.db.deleteFrom('identity.member_role').where('member_id', '=', clerk.userId).execute(),
    );
    await chief.call(requestNotes.comment, { body: { id, text: '仅内部可见' } });
    expect(await remindersOf(clerk)).toEqual([]);
  });

  it('need words, and a document that exists', async () => {
    expect((await chief.send(requestNotes.comment, { body: { id, text: '  ' } })).msg).toContain('请填写评论');
    const other = await world.owner();
    expect((await other.send(requestNotes.comment, { body: { id, text: '你好' } })).status).toBe(404);
    expect((await timeline()).filter((entry) => entry.kind === 'comment')).toEqual([]);
  });
});

describe('attachments', () => {
  it('are kept with who put them there, come back to the byte, and leave by the hand that brought them', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 13, 10]);
    const put1 = await put(clerk, 'C:\\scans\\发票 01.PNG', bytes);
    expect(put1.code).toBe(201);
    const [file] = await files(clerk);
    expect(file).toMatchObject({ name: '发票 01.PNG', size: bytes.length, mine: true });
    expect((await files(chief))[0]?.mine).toBe(false);
    const fileId = file?.fileId ?? '';
    const got = await chief.send(requestNotes.attachment, { params: { id, fileId } });
    expect(got.raw.equals(bytes)).toBe(true);
    expect(got.headers['content-type']).toBe('image/png');
    expect(String(got.headers['content-disposition'])).toMatch(/^attachment/);
    const clerk2 = await world.member(owner, [...VIEW, 'fin:payreq:apply']);
    expect((await clerk2.send(requestNotes.detach, { body: { id, fileId } })).msg).toBe('只能移除自己上传的附件');
    await clerk.call(requestNotes.detach, { body: { id, fileId } });
    expect(await files(clerk)).toEqual([]);
    expect((await chief.send(requestNotes.attachment, { params: { id, fileId } })).status).toBe(404);
    expect((await timeline()).slice(0, 2).map((entry) => entry.title)).toEqual(['移除附件', '上传附件']);
  });

  it('are not for another document, another company, or somebody who may only read', async () => {
    await put(clerk, '合同.pdf');
    const fileId = (await files(clerk))[0]?.fileId ?? '';
    const other = await world.owner();
    expect((await other.send(requestNotes.attachment, { params: { id, fileId } })).status).toBe(404);
    expect((await other.send(requestNotes.attachments, { params: { id } })).status).toBe(404);
    expect((await put(chief, '合同.pdf')).status).toBe(403);
    const second = await requested();
    expect((await clerk.send(requestNotes.attachment, { params: { id: second, fileId } })).status).toBe(404);
  });

  it('of a wrong kind, empty or too large are refused with words and leave nothing', async () => {
    expect((await put(clerk, '工具.exe')).msg).toContain('不支持该文件格式');
    expect((await put(clerk, 'constructor')).msg).toContain('不支持该文件格式');
    expect((await put(clerk, '空.pdf', '')).msg).toBe('文件是空的');
    expect((await put(clerk, '大.pdf', Buffer.alloc(ATTACHMENT_BYTES + 1))).msg).toBe('附件不能超过20MB');
    expect(await files(clerk)).toEqual([]);
  });

  it('are at most thirty, also when the last two come at once', async () => {
    for (let n = 1; n < ATTACHMENTS; n += 1) await put(clerk, `${n}.txt`, `file ${n}`);
    const last = await Promise.all([put(clerk, 'a.txt', 'a'), put(clerk, 'b.txt', 'b')]);
    expect(last.map((one) => one.code).sort()).toEqual([201, 400]);
    expect(await files(clerk)).toHaveLength(ATTACHMENTS);
  });
});
