// A home for `sops`: it holds the keys of this machine, and the credentials of a key service only if one of its type is allowed.
// A file cannot bring `sops` to a service that nobody allowed; this holds even if `sops` understood a file in another way than we do.
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
 * Calls `use` with a folder that has links to what `sops` needs of the home of the user, and removes it. Without a home, as on some
 * runners, there is none.
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

/** Calls `use` with an empty folder, and removes it. */
export async function withEmptyHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const own = await temporaryFolder('meshform-sops-');
  try {
    return await use(own);
  } finally {
    // Removes the links, and nothing that they lead to.
    await rm(own, { recursive: true, force: true });
  }
}
