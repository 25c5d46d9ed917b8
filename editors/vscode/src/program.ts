/** Finding and running the program `bunraku`. Knows nothing of the editor. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Returns the program to run in a folder: the configured one, that of a virtual environment, or that of the search path. */
export function programFor(
  folder: string | undefined,
  configured: string,
  exists: (path: string) => boolean = existsSync,
  platform: NodeJS.Platform = process.platform,
  searchPath: string = process.env.PATH ?? '',
): string | undefined {
  if (configured !== '') {
    return configured;
  }
  const windows = platform === 'win32';
  const name = windows ? 'bunraku.exe' : 'bunraku';
  const scripts = windows ? 'Scripts' : 'bin';
  const environments = folder === undefined ? [] : ['.venv', 'venv'].map((one) => join(folder, one, scripts, name));
  const directories = searchPath.split(delimiter).filter((one) => one !== '');
  return [...environments, ...directories.map((one) => join(one, name))].find(exists);
}

/** Runs the program and returns its output, whatever its exit code. Rejects if it cannot be started or was cancelled. */
export function run(program: string, words: readonly string[], folder: string, signal?: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, signal, maxBuffer: 256 * 1024 * 1024, windowsHide: true };
    execFile(program, [...words], options, (error, output, errors) => {
      if (error !== null && typeof error.code !== 'number') {
        reject(error);
      } else {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
      }
    });
  });
}
