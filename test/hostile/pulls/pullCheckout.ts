// A checkout of a drawn pull request, in a home with secrets.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { git } from '../../support/git.ts';
import { plant } from '../plantedCheckout.ts';
import { type Canaries, writeSecrets } from './canaries.ts';
import { type DrawnPull, mapTexts } from './drawnPull.ts';
import { SEALED_PLAINLY } from './sealedFiles.ts';

interface Ground {
  readonly home: string;
  /** The address of a server of the author. */
  readonly lure: string;
  /** The id of the account. */
  readonly account: string;
  /** A program of the author. */
  readonly program: string;
}

/** The folder of the checkout in the home. */
export const CHECKOUT = 'checkout';

const FLEET = 'accounts: [{ name: one, credentials: one, layers: [net] }]\n';

/** Writes the checkout, and commits what a pull request can have. The secrets are there afterwards. */
export async function writePull(
  { files, sealed, links, names, project, planted }: DrawnPull,
  canaries: Canaries,
  { home, lure, account, program }: Ground,
): Promise<void> {
  const checkout = join(home, CHECKOUT);
  const folder = join(checkout, 'net');
  const lured = (text: string) => text.replaceAll('@/', `${lure}/`).replace(/^@/, lure);
  await mkdir(folder, { recursive: true });
  // A planted checkout makes git read this one again.
  for (const [name, document] of files)
    await writeFile(
      join(folder, name === 'groups.yaml' ? 'network.yaml' : name),
      stringify(mapTexts(document, lured)),
    );
  for (const { name, text } of [SEALED_PLAINLY, ...sealed])
    await writeFile(join(folder, name), text.replaceAll('@', lure));
  for (const [number, name] of names.entries())
    await writeFile(join(folder, name), `groups: [{ name: odd ${number} }]\n`);
  await writeFile(
    join(folder, 'meshform.yaml'),
    stringify({ account, ...mapTexts(project, lured) }),
  );
  await writeFile(join(checkout, 'fleet.yaml'), FLEET);
  await writeFile(join(checkout, '.gitignore'), 'secret.txt\npart.txt\nhook.txt\n');
  for (const [path, target] of links) await replaceByLink(join(folder, path), target);
  if (planted) await plant(checkout, planted, program);
  else commitAll(checkout);
  await writeSecrets(canaries, { home, folder });
}

function commitAll(checkout: string): void {
  git(checkout, 'init', '--quiet', '--initial-branch=main');
  git(checkout, 'add', '--all', '.');
  git(checkout, 'commit', '--quiet', '--message=everything');
}

async function replaceByLink(path: string, target: string): Promise<void> {
  await rm(path, { force: true });
  await symlink(target, path);
}
