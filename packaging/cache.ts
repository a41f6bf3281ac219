// The cache folder for downloads and compiled tools of packaging, with a folder per tool and version.
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'meshform-packaging');

/** The folder of a tool and version. */
export const toolFolder = (name: string, version: string): string =>
  join(CACHE, `${name}-${version}`);

/** The sops binary for the image. */
export const SOPS_VERSION = '3.13.3';
