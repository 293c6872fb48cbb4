export { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
