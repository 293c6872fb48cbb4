import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { frameSource } from '../contract/frame.ts';
import { shellSettings } from '../contract/shell.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ oldSystemUrl: 'https://old.example/', frameHosts: ['docs.example', 'bi.example:8443'] });
});
afterAll(() => world.close());

test('the frame learns the old system and the hosts it may embed, and the browser is told the same', async () => {
  const owner = await world.owner();
  const answer = await owner.send(shellSettings, {});
  expect(answer.data).toEqual({ oldSystem: 'https://old.example/', frameHosts: ['docs.example', 'bi.example:8443'] });
  expect(answer.headers['content-security-policy']).toContain(
    "frame-src 'self' https://docs.example https://bi.example:8443",
  );
});

describe('what a tab may embed', () => {
  const allowed = (src: string) => frameSource(src, ['docs.example', 'bi.example:8443', 'erp.example'], 'erp.example');

  test('https on a host that is allowed by its whole name', () => {
    expect(allowed('https://docs.example/a?b=c')).toBe('https://docs.example/a?b=c');
    expect(allowed('https://bi.example:8443/')).toBe('https://bi.example:8443/');
  });

  test('nothing else', () => {
    for (const src of [
      'http://docs.example/',
      'https://docs.example.evil.example/',
      'https://x.docs.example/',
      'https://evil.example/?https://docs.example/',
      'https://docs.example@evil.example/',
      'https://user:word@docs.example/',
      'https://bi.example/',
      'https://erp.example/home',
      'javascript:alert(1)',
      'data:text/html,x',
      '//docs.example/',
      '/home',
      '',
    ]) {
      expect(allowed(src), src).toBeUndefined();
    }
  });
});

test('settings that would break a header or lead astray stop the start', () => {
  expect(readConfig({ FRAME_HOSTS: ' Docs.example , bi.example:8443 ' }).frameHosts).toEqual([
    'docs.example',
    'bi.example:8443',
  ]);
  for (const hosts of ["x'; script-src *", 'https://docs.example', '*', 'a b']) {
    expect(() => readConfig({ FRAME_HOSTS: hosts }), hosts).toThrow('FRAME_HOSTS');
  }
  expect(() => readConfig({ OLD_SYSTEM_URL: 'javascript:alert(1)' })).toThrow('OLD_SYSTEM_URL');
});
