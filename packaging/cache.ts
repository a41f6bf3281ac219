// The cache folder of everything that is downloaded or compiled for packaging, each tool in a folder with its version.
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'meshform-packaging');

/** The folder of a tool in one version. */
export const toolFolder = (name: string, version: string): string =>
  join(CACHE, `${name}-${version}`);

/** The sops that is part of the image. */
export const SOPS_VERSION = '3.13.3';
