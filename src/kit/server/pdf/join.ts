import { PDFDocument } from 'pdf-lib';

/** PDF files one after the other as one, page by page as they are. @throws where one of them is no PDF */
export async function joinPdfs(files: readonly Uint8Array[]): Promise<Uint8Array> {
  const joined = await PDFDocument.create();
  for (const file of files) {
    const part = await PDFDocument.load(file);
    for (const page of await joined.copyPages(part, part.getPageIndices())) joined.addPage(page);
  }
  return joined.save();
}
