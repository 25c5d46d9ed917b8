/** Coverage in the format lcov. Knows nothing of the editor. */

export interface FileHits {
  readonly path: string;
  readonly lines: readonly (readonly [number, number])[];
  readonly branches: readonly { readonly line: number; readonly name: string; readonly hits: number }[];
}

/** Returns the hits of lines (numbers from 1) and branches by file. */
export function hitsIn(text: string): FileHits[] {
  const files: FileHits[] = [];
  let path = '';
  let lines: (readonly [number, number])[] = [];
  let branches: { line: number; name: string; hits: number }[] = [];
  for (const row of text.split(/\r?\n/)) {
    const [key, ...rest] = row.split(':');
    const fields = rest.join(':').split(',');
    if (key === 'SF') {
      [path, lines, branches] = [rest.join(':'), [], []];
    } else if (key === 'DA') {
      lines.push([Number(fields[0]), Number(fields[1])]);
    } else if (key === 'BRDA') {
      branches.push({ line: Number(fields[0]), name: fields.slice(1, -1).join(' '), hits: Number(fields.at(-1)) || 0 });
    } else if (row === 'end_of_record') {
      files.push({ path, lines, branches });
    }
  }
  return files;
}
