import { type Zippable, zipSync } from 'fflate';

/** A file that goes into an archive. */
export interface ZipEntry {
  /** With folders, e.g. "evidence/pod.pdf". */
  name: string;
  data: Buffer;
}

/** Names that differ from each other: a second "a.pdf" becomes "a (2).pdf". */
function named(entries: readonly ZipEntry[]): Map<string, ZipEntry> {
  const used = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const dot = entry.name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, ''];
    let { name } = entry;
    for (let n = 2; used.has(name); n += 1) name = `${stem} (${n})${ending}`;
    used.set(name, entry);
  }
  return used;
}

/** A ZIP archive of files that fit into memory together. `at`: the time that the files bear. */
export function zip(files: readonly ZipEntry[], at: Date): Buffer {
  const contents: Zippable = {};
  for (const [name, { data }] of named(files)) contents[name] = [data, { mtime: at }];
  return Buffer.from(zipSync(contents));
}
