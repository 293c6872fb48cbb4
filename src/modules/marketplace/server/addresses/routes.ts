import { type AnyRoute, FileReply, serve, serveOpen } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import * as addresses from '../../contract/addresses.ts';
import { HEADINGS, importTable } from './import.ts';
import { addressCounts, addressPage, exportAddressFile } from './list.ts';
import { insertAddress, makeDefault, setDisabled, updateAddress } from './save.ts';

const success = 'success' as const;

/** An empty sheet with the headings of the import. */
function template(): FileReply {
  const columns = Object.keys(HEADINGS).map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  return new FileReply(
    '发货地址导入模板.xlsx',
    MEDIA_TYPES.xlsx,
    exportStream(none, { format: 'xlsx', sheet: '发货地址', columns }),
  );
}

export const addressRoutes: AnyRoute[] = [
  serve(addresses.listAddresses, (ctx, { body }) => addressPage(ctx, body)),
  serve(addresses.countAddresses, (ctx, { body }) => addressCounts(ctx, body.filter)),
  serve(addresses.exportAddresses, (ctx, { body }) => exportAddressFile(ctx, body)),
  serve(addresses.addAddress, async (ctx, { body }) => ({ id: await insertAddress(ctx, body) })),
  serve(addresses.changeAddress, async (ctx, { body }) => {
    const { id, version, ...form } = body;
    await updateAddress(ctx, id, version, form);
    return { id };
  }),
  serve(addresses.disableAddress, async (ctx, { query }) => {
    await setDisabled(ctx, query.id, true);
    return success;
  }),
  serve(addresses.restoreAddress, async (ctx, { body }) => {
    await setDisabled(ctx, body.id, false);
    return success;
  }),
  serve(addresses.defaultAddress, async (ctx, { body }) => {
    await makeDefault(ctx, body.id);
    return success;
  }),
  serveOpen(addresses.importAddresses, (open, { body }) => importTable(open, body.commit === 'true')),
  serve(addresses.addressTemplate, async () => template()),
];
