import type { FastifyInstance } from 'fastify';
import { drawing, type Shades } from './drawings.ts';

const palette: Record<string, Shades> = {
  black: { main: '#3f4652', dark: '#262b34', light: '#737c8b' },
  blue: { main: '#4a86d8', dark: '#2f62ad', light: '#a9c9f3' },
  green: { main: '#58a66c', dark: '#3b7f4f', light: '#b4dcbf' },
  grey: { main: '#9aa3af', dark: '#6f7885', light: '#d4d9df' },
  pink: { main: '#ec8fb0', dark: '#cc6a8e', light: '#f9d3e0' },
  red: { main: '#d9534f', dark: '#ad3a37', light: '#f3b3b1' },
  white: { main: '#dfe5ec', dark: '#b7c1cd', light: '#f6f8fa' },
  orange: { main: '#ee9b49', dark: '#c9782a', light: '#f9d5ae' },
  yellow: { main: '#f0c64a', dark: '#cfa328', light: '#fae9b6' },
  purple: { main: '#8d72cf', dark: '#6b51ab', light: '#d0c4ee' },
  brown: { main: '#a57552', dark: '#80573a', light: '#d8bda8' },
  teal: { main: '#3fa7a3', dark: '#2b807d', light: '#addedb' },
};
const fallback: Shades = { main: '#6f8fb8', dark: '#4f6d94', light: '#c3d3e6' };

/**
 * The picture of an article as SVG, 160 x 160 on white. `imageKey` is "kind-colour", e.g. "bottle-blue"; an unknown
 * kind is drawn as a parcel, an unknown colour in a neutral blue.
 */
export function imageSvg(imageKey: string): string {
  const dash = imageKey.indexOf('-');
  const kind = dash < 0 ? imageKey : imageKey.slice(0, dash);
  const shades = palette[dash < 0 ? '' : imageKey.slice(dash + 1)] ?? fallback;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160" viewBox="0 0 160 160">',
    '<rect width="160" height="160" fill="#fff"/>',
    '<ellipse cx="80" cy="146" rx="52" ry="5" fill="#eef1f5"/>',
    ...drawing(kind, shades),
    '</svg>',
  ].join('');
}

/** GET /images/:imageKey.svg; shown by pages of another origin, hence the resource policy. */
export function registerImages(server: FastifyInstance): void {
  server.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
    const { file } = request.params;
    if (!file.endsWith('.svg')) return reply.code(404).send({ message: 'Not found' });
    return reply
      .header('cache-control', 'public, max-age=86400')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/svg+xml')
      .send(imageSvg(file.slice(0, -4)));
  });
}
