// A home folder for `sops`: it contains the keys of this machine, and the credentials of a key service only if a service of this
// type is allowed. A file cannot make `sops` use credentials for other services, even if `sops` reads the file differently than
// meshform does.
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { temporaryFolder } from './files/temporaryFolder.ts';

/** Where GnuPG, OpenSSH and age keep keys. */
const KEYS = ['.gnupg', '.ssh', '.config/sops', 'Library/Application Support/sops'];

/** Where the clients of key services keep credentials, by type of key. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  azure_kv: ['.azure'],
  gcp_kms: ['.config/gcloud'],
  hc_vault: ['.vault-token'],
  hckms: ['.huaweicloud'],
  kms: ['.aws'],
};

/**
 * Calls `use` with a temporary home folder, and removes the folder afterwards. The folder contains links to what `sops` needs in
 * the home of the user. Without a home, as on some runners, `use` gets undefined.
 */
export async function withSopsHome<T>(
  home: string | undefined,
  types: ReadonlySet<string>,
  use: (home: string | undefined) => Promise<T>,
): Promise<T> {
  if (home === undefined || !isAbsolute(home)) return use(undefined);
  return withEmptyHome(async own => {
    const needed = [...KEYS, ...[...types].flatMap(type => CREDENTIALS[type] ?? [])];
    for (const path of needed.filter(one => existsSync(join(home, one)))) {
      await mkdir(dirname(join(own, path)), { recursive: true });
      await symlink(join(home, path), join(own, path));
    }
    return use(own);
  });
}

/** Calls `use` with an empty folder, and removes the folder afterwards. */
export async function withEmptyHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const own = await temporaryFolder('meshform-sops-');
  try {
    return await use(own);
  } finally {
    // Removes the links, but not their targets.
    await rm(own, { recursive: true, force: true });
  }
}
