import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Text } from '#kit/contract/field.ts';
import { TimeZones } from '#kit/contract/zones.ts';

const success = z.literal('success');
const OldPassword = z.string().min(1, '请输入密码').max(200).meta({ title: '密码' });
const Key = z.string().min(1).max(200).meta({ title: '验证码编号' });
const Code = z.string().trim().min(1, '验证码不能为空').max(12).meta({ title: '验证码' });

/** Everything that the user centre shows of its owner. */
export const userDetail = endpoint({
  title: '个人中心',
  method: 'GET',
  path: '/admin/api/v1/users/detail',
  permission: 'login',
  reply: z.object({
    id: Id,
    name: z.string(),
    account: z.string(),
    image: z.string().nullable(),
    company: z.string(),
    companyTimeZone: z.string(),
    usertype: z.enum(['operator', 'owner', 'support', 'member']),
    tel: z.string().nullable(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    registeredAt: Instant,
    /** Last day on which the account works, in the company's zone. */
    expireDate: Day.nullable(),
    passwordChangedAt: Instant,
    mfa: z.boolean(),
    /** Other people who still work in the company. */
    colleagues: z.int(),
  }),
});

export const limitData = endpoint({
  title: '是否受数据权限限制',
  method: 'GET',
  path: '/admin/api/v1/users/limitData',
  permission: 'login',
  query: z.object({ type: z.enum(['owner', 'operations', 'home']).meta({ title: '类型' }) }),
  reply: z.enum(['true', 'false']),
});

/** People of the caller's company, for pickers of who is in charge. */
export const findOwnerAll = endpoint({
  title: '公司成员',
  method: 'GET',
  path: '/admin/api/v1/users/findOwnerAll',
  permission: 'login',
  reply: z.array(z.object({ id: Id, name: z.string(), account: z.string(), disabled: z.boolean() })),
});

export const saveImage = endpoint({
  title: '上传头像',
  method: 'POST',
  path: '/admin/api/v1/users/saveImage',
  permission: 'login',
  upload: true,
  reply: z.object({ image: z.string() }),
});

export const userImage = endpoint({
  title: '头像',
  method: 'GET',
  path: '/admin/api/v1/users/image/:id',
  permission: 'login',
  file: true,
  params: z.object({ id: z.uuid().meta({ title: '头像' }) }),
  reply: z.any(),
});

const Phone = z
  .string()
  .trim()
  .regex(/^$|^1[3-9]\d{9}$|^\+\d{7,15}$|^0\d{2,3}-?\d{7,8}$/, '请输入正确的电话号码')
  .max(20);

export const SelfForm = z.object({
  name: Text(100, '用户名'),
  tel: Phone.optional().meta({ title: '联系电话', kind: 'text' }),
  /** Only an owner's counts. */
  company: z
    .string()
    .trim()
    .min(1, '公司名称不能为空')
    .max(50, '公司名称不能超过50个字符')
    .optional()
    .meta({ title: '公司名称', kind: 'text' }),
  /** Only an owner's counts, too. */
  companyTimeZone: Choice(TimeZones, '公司时区').optional().meta({
    title: '公司时区',
    tip: '单据日期、到期日、账期和报表的“今天”按此时区计算；修改后从现在起生效，已有单据的日期不变。站点数据仍按各站点的时区',
  }),
});

export const updateSelf = endpoint({
  title: '编辑个人信息',
  method: 'POST',
  path: '/admin/api/v1/users/updateSelf',
  permission: 'login',
  body: SelfForm,
  reply: success,
});

export const verifyPassword = endpoint({
  title: '验证密码',
  method: 'POST',
  path: '/admin/api/v1/users/verifyPassword',
  permission: 'login',
  body: z.object({ password: OldPassword }),
  reply: success,
});

/** What a code of the user centre is for; "old" goes to the account itself, the others to `target`. */
export const SelfCodeFor = z.enum(['old', 'account', 'email', 'closeaccount', 'mergeaccount']);

export const sendSelfCode = endpoint({
  title: '发送验证码',
  method: 'POST',
  path: '/admin/api/v1/users/sendSelfCode',
  permission: 'login',
  body: z.object({
    purpose: SelfCodeFor.meta({ title: '用途' }),
    target: z.string().trim().max(254).optional().meta({ title: '手机号或邮箱' }),
  }),
  reply: z.string(),
});

/** Password and a code to the old account, then a code to the new one. */
export const updateAccountSelf = endpoint({
  title: '更换登录账号',
  method: 'POST',
  path: '/admin/api/v1/users/updateAccountSelf',
  permission: 'login',
  body: z.object({
    password: OldPassword,
    oldkey: Key,
    oldcode: Code,
    account: z.string().trim().min(1, '手机号或邮箱不能为空').max(254).meta({ title: '新账号' }),
    key: Key,
    code: Code,
  }),
  reply: success,
});

export const updateEmailSelf = endpoint({
  title: '激活邮箱',
  method: 'POST',
  path: '/admin/api/v1/users/updateEmailSelf',
  permission: 'login',
  body: z.object({
    email: z.string().trim().min(1, '邮箱不能为空').max(254).meta({ title: '邮箱' }),
    key: Key,
    code: Code,
  }),
  reply: success,
});

export const updatePasswordSelf = endpoint({
  title: '修改密码',
  method: 'POST',
  path: '/admin/api/v1/users/updatePasswordSelf',
  permission: 'login',
  body: z.object({
    account: z.string().trim().max(254).optional().meta({ title: '账号' }),
    oldpassword: z.string().min(1, '请输入原密码').max(200).meta({ title: '原密码' }),
    password: z.string().min(1, '密码不能为空').max(200).meta({ title: '新密码' }),
  }),
  reply: success,
});

export const Device = z.object({
  id: Id,
  /** e.g. "Chrome 130 · Windows 10". */
  name: z.string(),
  kind: z.enum(['desktop', 'mobile', 'tablet', 'other']),
  ip: z.string().nullable(),
  loginType: z.enum(['api', 'sso', 'other']),
  loggedInAt: Instant,
  lastSeenAt: Instant,
  current: z.boolean(),
});
export type Device = z.infer<typeof Device>;

export const listDevices = endpoint({
  title: '登录设备',
  method: 'GET',
  path: '/admin/api/v1/users/devices',
  permission: 'login',
  reply: z.array(Device),
});

export const closeDevice = endpoint({
  title: '下线设备',
  method: 'POST',
  path: '/admin/api/v1/users/devices/close',
  permission: 'login',
  body: z.object({ id: z.uuid().meta({ title: '设备' }) }),
  reply: success,
});

export const closeAccount = endpoint({
  title: '注销账号',
  method: 'POST',
  path: '/admin/api/v1/users/closeAccount',
  permission: 'login',
  body: z.object({
    password: OldPassword,
    key: Key,
    code: Code,
    /** An owner types the company's name. */
    company: z.string().trim().max(50).optional().meta({ title: '公司名称' }),
  }),
  reply: z.object({ effectiveAt: Instant }),
});

export const CHANNELS = {
  site: '站内',
  email: '邮件',
  sms: '短信',
  wechat: '微信',
  feishu: '飞书',
  dingtalk: '钉钉',
} as const;
export const Channel = z.enum(['site', 'email', 'sms', 'wechat', 'feishu', 'dingtalk']);
export type Channel = z.infer<typeof Channel>;

export const SubscriptionRow = z.object({
  event: z.string(),
  group: z.string(),
  title: z.string(),
  channels: z.record(Channel, z.boolean()),
});

export const subscriptions = endpoint({
  title: '消息订阅',
  method: 'GET',
  path: '/admin/api/v1/users/subscription',
  permission: 'login',
  reply: z.array(SubscriptionRow),
});

export const saveSubscription = endpoint({
  title: '修改消息订阅',
  method: 'PUT',
  path: '/admin/api/v1/users/subscription',
  permission: 'login',
  body: z.object({
    event: z.string().min(1).max(80).meta({ title: '消息' }),
    channel: Channel.meta({ title: '渠道' }),
    wanted: z.boolean().meta({ title: '订阅' }),
  }),
  reply: success,
});
