// Starts the product as `npm start` does, on a database that was migrated already: how it comes to one from nothing is told in
// src/app/test.
import { migratedData } from '../../support/cluster.ts';

const { DATA_DIR } = process.env;
if (!DATA_DIR) throw new Error('DATA_DIR is missing');
await migratedData(DATA_DIR);
await import('../../../src/main.ts');
