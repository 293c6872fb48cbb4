const CHUNK = 500;

/** Rows of a stream with more to them: a file of any length asks once for so many rows. */
export async function* inChunks<Row>(
  rows: AsyncIterable<Row>,
  more: (rows: readonly Row[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let held: Row[] = [];
  for await (const row of rows) {
    held.push(row);
    if (held.length < CHUNK) continue;
    yield* await more(held);
    held = [];
  }
  yield* await more(held);
}
