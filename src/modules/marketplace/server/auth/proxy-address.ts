import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { configOf } from '../settings.ts';

const inside = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(net, prefix, 'ipv4');
}
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');
inside.addAddress('::1', 'ipv6');
inside.addAddress('::', 'ipv6');

async function leadsInside(host: string): Promise<boolean> {
  const found = await lookup(host, { all: true }).catch(() => {
    throw refused('代理地址无法解析', 'B0341');
  });
  return found.some(({ address }) => inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

/**
 * "http://host:port" of a store's proxy, or null where none is named. Whoever names one must not reach the network that
 * this product itself stands in, unless the marketplace does as well. @throws AppError B0340, B0341, B0342
 */
export async function proxyAddress(
  runtime: Pick<Runtime, 'config'>,
  host: string | undefined,
  port: number | undefined,
): Promise<string | null> {
  if (host === undefined && port === undefined) return null;
  if (host === undefined || port === undefined) throw refused('代理地址和端口须同时填写', 'B0340');
  const { hostname } = new URL(configOf(runtime).lwaTokenUrl);
  if ((await leadsInside(host)) && !(await leadsInside(hostname))) throw refused('代理地址不能指向内部网络', 'B0342');
  return `http://${host}:${port}`;
}
