import { defineModule } from '#kit/server/module.ts';

/** The user guide: pages of text and the screen that shows them; nothing on the server. */
export default defineModule({
  name: 'help',
  title: '帮助',
  needs: [],
});
