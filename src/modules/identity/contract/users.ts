import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';

export const userInfo = endpoint({
  title: '当前用户信息',
  method: 'GET',
  path: '/admin/api/v1/users/info',
  permission: 'login',
  reply: z.object({
    id: Id,
    name: z.string(),
    image: z.string().nullable(),
    company: z.string(),
    account: z.string(),
    usertype: z.enum(['operator', 'owner', 'support', 'member']),
    email: z.string().nullable(),
    tel: z.string().nullable(),
    /** companyname is URL-encoded. */
    userinfo: z.object({ name: z.string(), companyname: z.string() }),
  }),
});

export const checkAdminByCompanyId = endpoint({
  title: '是否公司管理员',
  method: 'GET',
  path: '/admin/api/v1/users/checkAdminByCompanyId',
  permission: 'login',
  reply: z.boolean(),
});
