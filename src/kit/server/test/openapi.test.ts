import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { openApiOf } from '../http/openapi.ts';

const base = { title: '导入', method: 'POST', permission: 'login', reply: z.string() } as const;
const Fields = z.object({ site: z.string(), note: z.string().optional() });

const document = openApiOf([
  endpoint({ ...base, path: '/x/upload', upload: true, body: Fields }),
  endpoint({ ...base, path: '/x/bare', upload: true }),
  endpoint({ ...base, path: '/x/plain', body: Fields }),
  endpoint({ ...base, path: '/x/form', body: Fields, form: true }),
  endpoint({ ...base, path: '/x/empty' }),
]) as unknown as {
  paths: Record<
    string,
    {
      post: {
        requestBody?: {
          required?: boolean;
          content: Record<string, { schema: { properties: Record<string, object>; required?: string[] } }>;
        };
      };
    }
  >;
};
const bodyOf = (path: string) => document.paths[`/api${path}`]?.post.requestBody;

test('a call that takes a file says so, after the other fields of its form', () => {
  const { schema } = bodyOf('/x/upload')?.content['multipart/form-data'] ?? {};
  expect(Object.keys(schema?.properties ?? {})).toEqual(['site', 'note', 'file']);
  expect(schema?.properties.file).toMatchObject({ type: 'string', format: 'binary' });
  expect(schema?.required).toEqual(['site', 'file']);
  expect(bodyOf('/x/upload')?.required).toBe(true);
  expect(bodyOf('/x/bare')?.content['multipart/form-data']?.schema.required).toEqual(['file']);
});

test('other calls have the body that they had, and no file', () => {
  expect(Object.keys(bodyOf('/x/plain')?.content ?? {})).toEqual(['application/json']);
  expect(Object.keys(bodyOf('/x/form')?.content ?? {})).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
  ]);
  expect(Object.keys(bodyOf('/x/plain')?.content['application/json']?.schema.properties ?? {})).toEqual([
    'site',
    'note',
  ]);
  expect(bodyOf('/x/empty')).toBeUndefined();
});
