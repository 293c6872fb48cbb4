import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { themeCss } from './src/kit/web/theme/tokens.ts';

const THEME_CSS = 'virtual:theme.css';

/** Serves the palettes of the kit as a style sheet: one definition for CSS, antd, grid and charts. */
function themeStyles(): Plugin {
  return {
    name: 'theme-styles',
    resolveId: (id) => (id === THEME_CSS ? `\0${THEME_CSS}` : undefined),
    load: (id) => (id === `\0${THEME_CSS}` ? themeCss() : undefined),
  };
}

const api = process.env.API_URL ?? `http://127.0.0.1:${process.env.PORT ?? '8080'}`;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: 'src/shell/public',
  plugins: [react(), themeStyles()],
  server: { proxy: { '/api': api, '/sso/': api, '/oauth2/': api } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // Parts that change seldom, apart from the screens that change often: a release costs a user little. antd is
        // not among them: as one chunk it would bring its date pickers and tables to the login page.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack)[\\/]/,
              priority: 40,
            },
            { name: 'schema', test: /node_modules[\\/](zod|decimal\.js)[\\/]/, priority: 40 },
            { name: 'grid', test: /node_modules[\\/]ag-grid/, priority: 30 },
            { name: 'charts', test: /node_modules[\\/](echarts|zrender)[\\/]/, priority: 30 },
          ],
        },
      },
    },
  },
});
