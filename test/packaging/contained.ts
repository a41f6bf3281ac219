// Runs programs in an image that was unpacked, as a cluster would: another user than root, nothing writable but three folders.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly WorkingDir: string;
  readonly Labels: Readonly<Record<string, string>>;
}

export interface Unpacked {
  readonly root: string;
  readonly config: ImageConfig;
  /** Bytes of the layers as a registry has them. */
  readonly compressed: number;
}

// The mounts end with the process: nobody else sees them.
const SCRIPT = `#!/bin/sh
set -e
image=$1 work=$2 user=$3
shift 3
mount --bind "$image" "$image"
mount -o remount,bind,ro "$image"
mount -t tmpfs tmpfs "$image/tmp"
mount -t tmpfs -o "uid=\${user%:*},mode=700" tmpfs "$image/journals"
mount --bind "$work" "$image/work"
mount --rbind /dev "$image/dev"
mount --rbind /proc "$image/proc"
exec chroot "--userspec=$user" "$image" /bin/sh -c 'cd /work && exec "$@"' sh "$@"
`;

/** Unpacks an OCI archive with one layer after another. */
export async function unpack({ run, scratch }: Bench, archive: string): Promise<Unpacked> {
  const folder = join(scratch, 'oci');
  const root = join(scratch, 'image');
  await mkdir(folder);
  await mkdir(root);
  await run('tar', ['--extract', '--file', archive, '--directory', folder]);
  const blob = (digest: string) => join(folder, 'blobs', digest.replace(':', '/'));
  const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
  const index = await json(join(folder, 'index.json'));
  const manifest = await json(blob(index.manifests[0].digest));
  const { config } = await json(blob(manifest.config.digest));
  const layers: readonly { readonly digest: string; readonly size: number }[] = manifest.layers;
  for (const { digest } of layers)
    await run('tar', ['--extract', '--gzip', '--file', blob(digest), '--directory', root]);
  return { root, config, compressed: layers.reduce((sum, { size }) => sum + size, 0) };
}

/** The command that runs the words after it in the image, in `work`. */
export async function container(
  { scratch }: Bench,
  { root, config }: Unpacked,
  work: string,
): Promise<{ command: string; before: readonly string[]; env: NodeJS.ProcessEnv }> {
  const script = join(scratch, 'contained.sh');
  await writeFile(script, SCRIPT);
  await chmod(script, 0o755);
  const env = Object.fromEntries(config.Env.map(pair => pair.split(/=(.*)/s).slice(0, 2)));
  const before = ['--mount', '--', '/bin/sh', script, root, work, config.User];
  return { command: 'unshare', before, env: { ...env, PATH: `${env.PATH}:/usr/sbin:/sbin` } };
}
